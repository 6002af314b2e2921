package headwater;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
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
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import scala.Option;

/**
 * Describes datasets: the values in a plan's leaves and sinks that are neither plans nor expressions. Options and
 * properties may contain secrets: only those that name something are copied.
 */
public final class Datasets {
    private static final int NAME_LIMIT = 4096;
    private static final int QUERY_LIMIT = 1000000;
    private static final int PATHS_LIMIT = 2000;
    private static final int PREDICATES_LIMIT = 1000;
    private static final int PREDICATE_CHARS_LIMIT = 50000;

    /** Options that identify a dataset, in lower case. */
    private static final Set NAMING = new HashSet(Arrays.asList(new String[] {
        "path", "url", "dbtable", "table", "topic", "subscribe", "assign", "subscribepattern", "kafka.bootstrap.servers",
        "project", "dataset", "sfurl", "sfdatabase", "sfschema", "branch", "tag", "snapshot-id", "as-of-timestamp"
    }));

    /** Options by which an overwriting writer replaces only a part of the table, in lower case. */
    private static final Set NARROWING = new HashSet(Arrays.asList(new String[] {
        "replacewhere", "replaceon", "replaceusing", "partitionoverwritemode", "overwrite-mode"
    }));

    /** Sinks and streams whose text is their name and location: FileSink[path]. */
    private static final Set TELLING = new HashSet(Arrays.asList(new String[] {
        "FileStreamSink", "DeltaSink", "FileStreamSource", "DeltaSource", "KafkaMicroBatchStream", "KafkaSource"
    }));

    /** The file indexes of a Delta table's change feed, as a stream reads it. */
    private static final Set FEEDS = new HashSet(Arrays.asList(new String[] {
        "CdcAddFileIndex", "TahoeChangeFileIndex", "TahoeRemoveFileIndex"
    }));

    private Datasets() {}

    /** Appends a description of {@code value} and returns true, or returns false if it names no dataset. */
    public static boolean describe(StringBuilder out, Object value) {
        if (value instanceof Path) {
            Json.string(out, value.toString(), NAME_LIMIT);
        } else if (value instanceof CatalogTable) {
            catalogTable(out, (CatalogTable) value);
        } else if (value instanceof CatalogStorageFormat) {
            storage(out, (CatalogStorageFormat) value);
        } else if (value instanceof TableIdentifier) {
            names(out, identifier((TableIdentifier) value));
        } else if (value instanceof HadoopFsRelation) {
            files(out, (HadoopFsRelation) value);
        } else if (value instanceof BaseRelation) {
            relation(out, (BaseRelation) value);
        } else if (value instanceof Identifier) {
            Identifier id = (Identifier) value;
            ArrayList parts = new ArrayList(Arrays.asList(id.namespace()));
            parts.add(id.name());
            names(out, parts);
        } else if (value instanceof CatalogPlugin) {
            out.append("{\"d\":\"catalog\",\"name\":");
            Json.string(out, ((CatalogPlugin) value).name(), NAME_LIMIT);
            out.append('}');
        } else if (value instanceof Table) {
            v2Table(out, (Table) value);
        } else if (value instanceof SparkDataStream) {
            stream(out, value);
        } else if (value instanceof DataSource) {
            dataSource(out, (DataSource) value);
        } else if (value instanceof DataSourceRegister) {
            Json.string(out, ((DataSourceRegister) value).shortName(), NAME_LIMIT);
        } else if (value instanceof RDD) {
            Rdds.describe(out, (RDD) value);
        } else if (value.getClass().getSimpleName().equals("VariableDefinition")) {
            // Each SET makes a variable another object: this identifies the one that is meant.
            out.append("{\"n\":").append(System.identityHashCode(value)).append('}');
        } else if (isCloneSource(value)) {
            cloneSource(out, value);
        } else if (value instanceof CaseInsensitiveStringMap) {
            options(out, ((Map) value).entrySet().iterator());
        } else if (value instanceof CaseInsensitiveMap || namesSomething(value)) {
            options(out, (scala.collection.Map) value);
        } else {
            return false;
        }
        return true;
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
        names(out, parts);
        out.append('}');
    }

    private static void catalogTable(StringBuilder out, CatalogTable table) {
        catalogTable(out, table, null, null);
    }

    /** A table with its columns, for commands that create it without a query. */
    public static void tableAndColumns(StringBuilder out, CatalogTable table) {
        catalogTable(out, table, null, table.schema());
    }

    private static void catalogTable(StringBuilder out, CatalogTable table, Object version, Object schema) {
        out.append("{\"d\":\"table\",\"name\":");
        names(out, identifier(table.identifier()));
        text(out, "version", version);
        schema(out, schema);
        Option location = table.storage().locationUri();
        text(out, "location", location.isDefined() ? place(location.get()) : null);
        text(out, "provider", table.provider().isDefined() ? table.provider().get() : null);
        text(out, "type", table.tableType().name());
        identity(out, table.properties().get("openlineage.dataset.namespace"),
            table.properties().get("openlineage.dataset.name"), table.properties().get("openlineage.dataset.query"));
        out.append('}');
    }

    private static void schema(StringBuilder out, Object schema) {
        if (schema instanceof StructType) {
            out.append(",\"schema\":").append(((StructType) schema).json());
        }
    }

    private static void identity(StringBuilder out, Option namespace, Option name, Option query) {
        text(out, "namespace", namespace.isDefined() ? namespace.get() : null);
        text(out, "identity", name.isDefined() ? name.get() : null);
        text(out, "query", query.isDefined() ? query.get() : null);
    }

    private static void storage(StringBuilder out, CatalogStorageFormat storage) {
        out.append("{\"d\":\"files\",\"paths\":[");
        if (storage.locationUri().isDefined()) {
            Json.string(out, place(storage.locationUri().get()), NAME_LIMIT);
        }
        out.append("]}");
    }

    /** A catalog keeps locations as URIs, with %20 for a blank; everywhere else they are written as paths. */
    private static String place(Object uri) {
        return uri instanceof URI ? new Path((URI) uri).toString() : String.valueOf(uri);
    }

    private static List identifier(TableIdentifier id) {
        ArrayList parts = new ArrayList();
        Object catalog = Reflection.call(id, "catalog");
        if (catalog != null) {
            parts.add(catalog);
        }
        if (id.database().isDefined()) {
            parts.add(id.database().get());
        }
        parts.add(id.table());
        return parts;
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
        Json.string(out, name, NAME_LIMIT);
        text(out, "version", version);
        if (FEEDS.contains(relation.location().getClass().getSimpleName())) {
            out.append(",\"feed\":true");
        }
        paths(out, folders(relation.location()).iterator());
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
            jdbc(out, (JDBCOptions) options, Reflection.call(relation, "parts"));
            return;
        }
        out.append("{\"d\":\"relation\",\"class\":");
        Json.string(out, relation.getClass().getName(), NAME_LIMIT);
        // Delta's change feed.
        Object log = Reflection.call(Reflection.call(Reflection.call(relation, "snapshotWithSchemaMode"), "snapshot"), "deltaLog");
        text(out, "location", Reflection.call(log, "dataPath"));
        Object sourceOptions = Reflection.field(relation, "sourceOptions");
        if (sourceOptions instanceof CaseInsensitiveMap) {
            out.append(",\"options\":");
            options(out, (scala.collection.Map) sourceOptions);
        }
        out.append('}');
    }

    private static void jdbc(StringBuilder out, JDBCOptions options, Object parts) {
        out.append("{\"d\":\"jdbc\"");
        text(out, "url", options.url());
        Option query = options.parameters().get("query");
        if (query.isDefined()) {
            text(out, "query", query.get());
        } else {
            text(out, "table", options.tableOrQuery());
        }
        Option prepare = options.parameters().get("prepareQuery");
        text(out, "prepare", prepare.isDefined() ? prepare.get() : null);
        // A partition column only splits the rows; predicates filter them.
        if (parts instanceof Object[] && !options.parameters().get("partitionColumn").isDefined()) {
            predicates(out, (Object[]) parts);
        }
        out.append('}');
    }

    private static void predicates(StringBuilder out, Object[] parts) {
        LinkedHashSet conditions = new LinkedHashSet();
        long chars = 0;
        boolean cut = parts.length > PREDICATES_LIMIT;
        for (int i = 0; i < parts.length && !cut; i++) {
            Object where = Reflection.call(parts[i], "whereClause");
            if (where == null || where.toString().trim().length() == 0) {
                return; // this part has all rows
            }
            if (conditions.add(where.toString())) {
                chars += where.toString().length();
                cut = chars > PREDICATE_CHARS_LIMIT;
            }
        }
        if (cut) {
            out.append(",\"predicates\":null");
        } else if (!conditions.isEmpty()) {
            out.append(",\"predicates\":[");
            String before = "";
            for (Iterator i = conditions.iterator(); i.hasNext(); before = ",") {
                out.append(before);
                Json.string(out, (String) i.next(), PREDICATE_CHARS_LIMIT);
            }
            out.append(']');
        }
    }

    private static void v2Table(StringBuilder out, Table table) {
        String kind = table.getClass().getSimpleName();
        if (kind.equals("RowLevelOperationTable") && Reflection.call(table, "table") instanceof Table) {
            v2Table(out, (Table) Reflection.call(table, "table"));
            return;
        }
        Object timeTravel = Reflection.call(table, "timeTravelOpt"); // Delta's, if it is not the latest version
        Object version = timeTravel == null
            ? Reflection.call(table, "snapshotId") : Reflection.call(timeTravel, "version");
        Object schema = timeTravel == null ? null : latestSchema(Reflection.call(table, "deltaLog"));
        Object known = Reflection.call(table, "v1Table");
        if (known instanceof CatalogTable) {
            catalogTable(out, (CatalogTable) known, timeTravel == null ? null : version, schema);
            return;
        }
        Object options = Reflection.call(table, "jdbcOptions");
        if (options instanceof JDBCOptions) {
            jdbc(out, (JDBCOptions) options, null);
            return;
        }
        out.append("{\"d\":\"v2\",\"class\":");
        Json.string(out, table.getClass().getName(), NAME_LIMIT);
        text(out, "name", Reflection.call(table, "name"));
        schema(out, schema);
        iceberg(out, table);
        if (TELLING.contains(kind)) {
            text(out, "text", table.toString());
        }
        Map properties = (Map) Reflection.call(table, "properties");
        if (properties != null) {
            text(out, "location", properties.get("location"));
            text(out, "provider", properties.get("provider"));
            text(out, "namespace", properties.get("openlineage.dataset.namespace"));
            text(out, "identity", properties.get("openlineage.dataset.name"));
            text(out, "query", properties.get("openlineage.dataset.query"));
            if ("true".equalsIgnoreCase((String) properties.get("write.wap.enabled"))) {
                out.append(",\"staging\":true");
            }
        }
        if (version == null && properties != null && properties.get("current-snapshot-id") != null) {
            version = "none".equals(properties.get("current-snapshot-id")) ? null : properties.get("current-snapshot-id");
        }
        text(out, "version", version);
        text(out, "branch", Reflection.call(table, "branch"));
        Object paths = Reflection.call(table, "paths");
        if (paths instanceof scala.collection.Seq) {
            paths(out, javaIterator(((scala.collection.Seq) paths).iterator()));
        }
        out.append('}');
    }

    /** What Iceberg offers beside a table's rows: metadata tables, with columns of their own, and its changes. */
    private static void iceberg(StringBuilder out, Table table) {
        Object changed = table.getClass().getSimpleName().equals("SparkChangelogTable")
            ? Reflection.field(table, "icebergTable") : null;
        if (changed != null) {
            text(out, "place", Reflection.call(changed, "location"));
            return;
        }
        Object inside = Reflection.call(table, "table");
        if (inside == null || !isAbout(inside.getClass())) {
            return;
        }
        out.append(",\"about\":[");
        Object columns = Reflection.call(Reflection.call(Reflection.field(inside, "table"), "schema"), "columns");
        if (columns instanceof List) {
            boolean first = true;
            for (Iterator i = ((List) columns).iterator(); i.hasNext(); first = false) {
                if (!first) {
                    out.append(',');
                }
                Json.string(out, String.valueOf(Reflection.call(i.next(), "name")), NAME_LIMIT);
            }
        }
        out.append(']');
    }

    private static boolean isAbout(Class type) {
        for (Class above = type; above != null; above = above.getSuperclass()) {
            if (above.getName().equals("org.apache.iceberg.BaseMetadataTable")) {
                return true;
            }
        }
        return false;
    }

    /** The columns of a Delta table as of the last read of its log: an update might start a job. */
    private static Object latestSchema(Object log) {
        return Reflection.call(Reflection.call(Reflection.call(log, "unsafeVolatileSnapshot"), "metadata"), "schema");
    }

    private static boolean isCloneSource(Object value) {
        String name = value.getClass().getName();
        return name.startsWith("org.apache.spark.sql.delta.") && name.endsWith("Source") && name.contains(".Clone");
    }

    /** The source of Delta's CLONE: a Delta table at a version, or a table of another format, of which only the name is
     *  read: its columns may have to be read from its files. */
    private static void cloneSource(StringBuilder out, Object source) {
        boolean delta = source.getClass().getSimpleName().equals("CloneDeltaSource");
        Object snapshot = delta ? Reflection.call(source, "snapshot") : null;
        Object schema = delta ? Reflection.call(source, "schema") : null;
        Object version = Reflection.call(snapshot, "version");
        Object known = Reflection.call(source, "catalogTable");
        if (known == null) {
            known = Reflection.field(source, "catalogTableOpt");
        }
        if (known instanceof CatalogTable) {
            catalogTable(out, (CatalogTable) known, version, delta ? schema : ((CatalogTable) known).schema());
            return;
        }
        Object path = delta ? Reflection.call(source, "dataPath") : null;
        Object id = Reflection.field(source, "tableIdentifier");
        String format = delta ? "delta" : null;
        if (path == null && id instanceof TableIdentifier) {
            path = ((TableIdentifier) id).table();
            format = ((TableIdentifier) id).database().isDefined() ? (String) ((TableIdentifier) id).database().get() : null;
        }
        out.append("{\"d\":\"files\"");
        text(out, "format", format);
        text(out, "version", version);
        schema(out, schema);
        paths(out, (path == null ? new ArrayList() : Arrays.asList(new Object[] {path})).iterator());
        out.append('}');
    }

    private static void stream(StringBuilder out, Object stream) {
        String kind = stream.getClass().getSimpleName();
        out.append("{\"d\":\"stream\",\"class\":");
        Json.string(out, stream.getClass().getName(), NAME_LIMIT);
        if (TELLING.contains(kind)) {
            text(out, "text", stream.toString());
        }
        Object parameters = Reflection.field(stream, "executorKafkaParams");
        if (parameters instanceof Map) {
            text(out, "servers", ((Map) parameters).get("bootstrap.servers"));
        }
        out.append('}');
    }

    private static void dataSource(StringBuilder out, DataSource source) {
        out.append("{\"d\":\"source\",\"class\":");
        Json.string(out, source.className(), NAME_LIMIT);
        paths(out, javaIterator(source.paths().iterator()));
        out.append(",\"options\":");
        options(out, (scala.collection.Map) source.options());
        out.append('}');
    }

    private static boolean namesSomething(Object value) {
        if (value instanceof scala.collection.Map) {
            for (scala.collection.Iterator i = ((scala.collection.Map) value).keysIterator(); i.hasNext();) {
                String key = String.valueOf(i.next()).toLowerCase(java.util.Locale.ROOT);
                if (NAMING.contains(key) || NARROWING.contains(key)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void options(StringBuilder out, scala.collection.Map options) {
        ArrayList entries = new ArrayList();
        for (scala.collection.Iterator i = options.iterator(); i.hasNext();) {
            scala.Tuple2 entry = (scala.Tuple2) i.next();
            entries.add(new java.util.AbstractMap.SimpleEntry(entry._1(), entry._2()));
        }
        options(out, entries.iterator());
    }

    private static void options(StringBuilder out, Iterator entries) {
        out.append("{\"d\":\"options\"");
        while (entries.hasNext()) {
            Map.Entry entry = (Map.Entry) entries.next();
            String key = String.valueOf(entry.getKey()).toLowerCase(java.util.Locale.ROOT);
            if (NAMING.contains(key)) {
                text(out, key, entry.getValue());
            } else if (NARROWING.contains(key)) {
                // A condition may contain data, and only its existence matters; a mode is a word.
                text(out, key, key.endsWith("mode") ? entry.getValue() : "given");
            }
        }
        out.append('}');
    }

    private static void text(StringBuilder out, String key, Object value) {
        if (value != null) {
            out.append(",\"").append(key).append("\":");
            Json.string(out, value.toString(), QUERY_LIMIT);
        }
    }

    /** The locations that are read, and whether there are too many to list. */
    private static void paths(StringBuilder out, Iterator items) {
        out.append(",\"paths\":[");
        for (int count = 0; items.hasNext() && count < PATHS_LIMIT; count++) {
            if (count > 0) {
                out.append(',');
            }
            Json.string(out, items.next().toString(), NAME_LIMIT);
        }
        out.append(']');
        if (items.hasNext()) {
            out.append(",\"known\":false");
        }
    }

    private static Iterator javaIterator(scala.collection.Iterator items) {
        ArrayList first = new ArrayList();
        while (items.hasNext() && first.size() <= PATHS_LIMIT) {
            first.add(items.next());
        }
        return first.iterator();
    }

    private static void names(StringBuilder out, List parts) {
        out.append('[');
        for (Iterator i = parts.iterator(); i.hasNext();) {
            Json.string(out, i.next().toString(), NAME_LIMIT);
            if (i.hasNext()) {
                out.append(',');
            }
        }
        out.append(']');
    }
}
