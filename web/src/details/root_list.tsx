/** The source columns at the start of all paths to a column, without what is in between. */

import type { AnswerTo } from "../api/client";
import { columnId, fullName, ROWS } from "../model/names";
import { mayReach } from "../model/unknown";
import { CLASS_WORDS } from "../model/words";
import { ColumnPlace } from "./parts";

type Roots = AnswerTo<"roots">;
type Root = Roots["roots"][number];

const WHY: Readonly<Record<Root["root"], string>> = {
  source: "",
  constant: "written from no column",
  unknown: "its job does not say from which columns it is written",
  cut: "not followed further",
};

/** Whether a column is nothing but its own root. */
export function isSource({ roots }: Roots): boolean {
  return roots.every(({ node, root }) => node.distance === 0 && root === "source");
}

export function RootList({ roots }: { readonly roots: Roots }) {
  const more = roots.partial || roots.unknown.length > 0 || roots.doubts.some(mayReach);
  return (
    <>
      <ul className="edges">
        {roots.roots.map((root) => (
          <li key={JSON.stringify(root.node.field)}>
            <ColumnPlace id={columnId(fullName(root.node.field), root.node.field.field ?? ROWS)} />
            {root.node.distance === 0 ? null : (
              <span className={`kind ${root.node.kind.toLowerCase()}`}>
                {CLASS_WORDS[root.node.kind]}
                {root.node.masked ? ", masked" : ""}
              </span>
            )}
            {WHY[root.root] === "" ? null : <span className="quiet">{WHY[root.root]}</span>}
          </li>
        ))}
      </ul>
      {more ? <p className="quiet">There may be more: not every job on the way says which columns it reads.</p> : null}
    </>
  );
}
