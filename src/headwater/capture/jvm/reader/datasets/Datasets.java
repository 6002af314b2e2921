package headwater;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.AliasIdentifier;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.catalog.CatalogStorageFormat;
import org.apache.spark.sql.catalyst.catalog.CatalogTable;
import org.apache.spark.sql.catalyst.util.CaseInsensitiveMap;
import org.apache.spark.sql.connector.catalog.CatalogPlugin;
import org.apache.spark.sql.connector.catalog.Identifier;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.read.streaming.SparkDataStream;
import org.apache.spark.sql.execution.datasources.DataSource;
import org.apache.spark.sql.execution.datasources.FileIndex;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.jdbc.JDBCOptions;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Describes datasets: the values in a plan's leaves and sinks that are neither plans nor expressions. Options and
 * properties may contain secrets: only those that name something are copied.
 */
public final class Datasets {
    /** The file indexes of a Delta table's change feed, as a stream reads it. */
    private static final Set FEEDS = new HashSet(Arrays.asList(new String[] {
        "CdcAddFileIndex", "TahoeChangeFileIndex", "TahoeRemoveFileIndex"
    }));

    private Datasets() {}

    /** Appends a description of {@code value} and returns true, or returns false if it names no dataset. */
    public static boolean describe(StringBuilder out, Object value) {
        if (value instanceof Path) {
            Json.string(out, value.toString(), DatasetJson.NAME_LIMIT);
        } else if (value instanceof CatalogTable) {
            V1Tables.describe(out, (CatalogTable) value);
        } else if (value instanceof CatalogStorageFormat) {
            V1Tables.storage(out, (CatalogStorageFormat) value);
        } else if (value instanceof TableIdentifier) {
            DatasetJson.names(out, V1Tables.identifier((TableIdentifier) value));
        } else if (value instanceof HadoopFsRelation) {
            files(out, (HadoopFsRelation) value);
        } else if (value instanceof BaseRelation) {
            relation(out, (BaseRelation) value);
        } else if (value instanceof Identifier) {
            Identifier id = (Identifier) value;
            ArrayList parts = new ArrayList(Arrays.asList(id.namespace()));
            parts.add(id.name());
            DatasetJson.names(out, parts);
        } else if (value instanceof CatalogPlugin) {
            out.append("{\"d\":\"catalog\",\"name\":");
            Json.string(out, ((CatalogPlugin) value).name(), DatasetJson.NAME_LIMIT);
            out.append('}');
        } else if (value instanceof Table) {
            V2Tables.describe(out, (Table) value);
        } else if (value instanceof SparkDataStream) {
            Streams.describe(out, value);
        } else if (value instanceof DataSource) {
            dataSource(out, (DataSource) value);
        } else if (value instanceof DataSourceRegister) {
            Json.string(out, ((DataSourceRegister) value).shortName(), DatasetJson.NAME_LIMIT);
        } else if (value instanceof RDD) {
            Rdds.describe(out, (RDD) value);
        } else if (value.getClass().getSimpleName().equals("VariableDefinition")) {
            // Each SET makes a variable another object: this identifies the one that is meant.
            out.append("{\"n\":").append(System.identityHashCode(value)).append('}');
        } else if (V2Tables.isCloneSource(value)) {
            V2Tables.cloneSource(out, value);
        } else if (value instanceof CaseInsensitiveStringMap) {
            DatasetOptions.describe(out, ((Map) value).entrySet().iterator());
        } else if (value instanceof CaseInsensitiveMap || DatasetOptions.nameSomething(value)) {
            DatasetOptions.describe(out, (scala.collection.Map) value);
        } else {
            return false;
        }
        return true;
    }

    private static void files(StringBuilder out, HadoopFsRelation relation) {
        out.append("{\"d\":\"files\",\"format\":");
        Object format = relation.fileFormat();
        String name = format.getClass().getSimpleName();
        Object version = null;
        if (name.startsWith("DeltaParquet")) {
            name = "delta";
            version = Reflection.call(relation.location(), "snapshotAtAnalysis");
            version = version == null ? null : Reflection.call(version, "version");
        } else if (format instanceof DataSourceRegister) {
            name = ((DataSourceRegister) format).shortName();
        }
        Json.string(out, name, DatasetJson.NAME_LIMIT);
        DatasetJson.text(out, "version", version);
        if (FEEDS.contains(relation.location().getClass().getSimpleName())) {
            out.append(",\"feed\":true");
        }
        DatasetJson.paths(out, folders(relation.location()).iterator());
        out.append('}');
    }

    /** The folders and single files that are read. Several files of one folder, as from a pattern, become the folder. */
    private static Collection folders(FileIndex index) {
        Object listed = Reflection.field(index, "cachedLeafFiles");
        scala.collection.Map files = listed instanceof scala.collection.Map ? (scala.collection.Map) listed : null;
        HashSet parents = new HashSet();
        HashSet shared = new HashSet();
        for (scala.collection.Iterator i = index.rootPaths().iterator(); i.hasNext();) {
            Path path = (Path) i.next();
            if (files != null && files.contains(path) && !parents.add(path.getParent())) {
                shared.add(path.getParent());
            }
        }
        LinkedHashSet paths = new LinkedHashSet();
        for (scala.collection.Iterator i = index.rootPaths().iterator(); i.hasNext();) {
            Path path = (Path) i.next();
            paths.add(shared.contains(path.getParent()) && files.contains(path) ? path.getParent() : path);
        }
        return paths;
    }

    /** Relations of the first data source API: JDBC is known; for others the class and the options that name them. */
    private static void relation(StringBuilder out, BaseRelation relation) {
        Object options = Reflection.call(relation, "jdbcOptions");
        if (options instanceof JDBCOptions) {
            JdbcRelations.describe(out, (JDBCOptions) options, Reflection.call(relation, "parts"));
            return;
        }
        out.append("{\"d\":\"relation\",\"class\":");
        Json.string(out, relation.getClass().getName(), DatasetJson.NAME_LIMIT);
        // Delta's change feed.
        Object log = Reflection.call(Reflection.call(Reflection.call(relation, "snapshotWithSchemaMode"), "snapshot"), "deltaLog");
        DatasetJson.text(out, "location", Reflection.call(log, "dataPath"));
        Object sourceOptions = Reflection.field(relation, "sourceOptions");
        if (sourceOptions instanceof CaseInsensitiveMap) {
            out.append(",\"options\":");
            DatasetOptions.describe(out, (scala.collection.Map) sourceOptions);
        }
        out.append('}');
    }

    private static void dataSource(StringBuilder out, DataSource source) {
        out.append("{\"d\":\"source\",\"class\":");
        Json.string(out, source.className(), DatasetJson.NAME_LIMIT);
        DatasetJson.paths(out, DatasetJson.javaIterator(source.paths().iterator()));
        out.append(",\"options\":");
        DatasetOptions.describe(out, (scala.collection.Map) source.options());
        out.append('}');
    }

    /** A view of a catalog, by its name. */
    public static void view(StringBuilder out, AliasIdentifier id) {
        ArrayList parts = new ArrayList();
        scala.collection.Iterator qualifier = id.qualifier().iterator();
        while (qualifier.hasNext()) {
            parts.add(qualifier.next());
        }
        parts.add(id.name());
        out.append("{\"d\":\"view\",\"name\":");
        DatasetJson.names(out, parts);
        out.append('}');
    }
}
