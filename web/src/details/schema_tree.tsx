/** A schema as a tree: nested fields open, long schemas have pages and a filter. */

import { useMemo, useState } from "react";
import { columnTree, filtered, type SchemaColumn, type TreeNode } from "../model/columns";
import { DetailsLink } from "../shell/names";

const PAGE = 100;
/** From this many columns on, there is a filter. */
const MANY = 12;

interface SchemaTreeProps {
  readonly dataset: string;
  readonly columns: readonly SchemaColumn[];
  readonly traced: ReadonlySet<string>;
}

export function SchemaTree({ dataset, columns, traced }: SchemaTreeProps) {
  const [words, setWords] = useState("");
  const [shown, setShown] = useState(PAGE);
  const matches = useMemo(() => filtered(columns, words), [columns, words]);
  const tree = useMemo(() => columnTree(matches), [matches]);
  return (
    <>
      {columns.length < MANY ? null : (
        <input
          type="search"
          aria-label="Filter columns"
          placeholder="Filter"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      )}
      <ul className="tree">
        {tree.slice(0, shown).map((node) => (
          <Field key={node.path} dataset={dataset} node={node} traced={traced} open={words !== ""} />
        ))}
      </ul>
      {matches.length === 0 ? <p className="quiet">No column matches.</p> : null}
      {tree.length <= shown ? null : (
        <button type="button" onClick={() => setShown(shown + PAGE)}>
          Show more ({tree.length - shown} left)
        </button>
      )}
    </>
  );
}

interface FieldProps {
  readonly dataset: string;
  readonly node: TreeNode;
  readonly traced: ReadonlySet<string>;
  readonly open: boolean;
}

function Field({ dataset, node, traced, open }: FieldProps) {
  const { column, children } = node;
  const known = traced.has(node.path) || children.some((child) => traced.has(child.path));
  const line = (
    <>
      <DetailsLink details={{ of: "column", dataset, column: node.path }}>
        <bdi>{node.name}</bdi>
      </DetailsLink>{" "}
      <code className="quiet">{column?.type ?? ""}</code>
      {column !== null && !column.listed ? <span className="quiet"> · not in the latest schema</span> : null}
      {known ? null : (
        <span className="quiet" title="Origin unknown">
          {" "}
          · origin unknown
        </span>
      )}
      {column?.description ? (
        <p className="description" dir="auto">
          {column.description}
        </p>
      ) : null}
    </>
  );
  if (children.length === 0) return <li>{line}</li>;
  return (
    <li>
      <details open={open}>
        <summary>
          {line} <span className="quiet">({children.length})</span>
        </summary>
        <ul>
          {children.map((child) => (
            <Field key={child.path} dataset={dataset} node={child} traced={traced} open={open} />
          ))}
        </ul>
      </details>
    </li>
  );
}
