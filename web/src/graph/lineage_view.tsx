/** The Lineage view of an address: the graph, and what to load and show of it. */

import { type ReactNode, useCallback, useMemo } from "react";
import { type Address, DIRECTIONS, HOME } from "../address/address";
import { useFullName } from "../address/full_name";
import { change, currentAddress, go } from "../address/router";
import { DEFAULT_LIMIT } from "../api/neighbourhood";
import { keeping, printExpansion, reach, type Side } from "../model/expansion";
import type { GraphPart } from "../model/graph";
import { mayReach } from "../model/unknown";
import { ChooseFirst } from "../shell/choose";
import { UnknownList } from "../shell/unknown_list";
import { LoadState } from "../shell/waiting";
import { warmUp } from "./layout/use_layout";
import { LineageGraph } from "./lineage_graph";
import type { BoxActions, ColumnChoice, SideAction } from "./props";
import { expansionsOf, useNeighbourhood } from "./use_neighbourhood";

warmUp();

const DEPTHS = [1, 2, 3, 5] as const;
/** How much more to load where a limit cut. */
const MORE = 2;

export default function LineageView({ address }: { readonly address: Address }) {
  const { part, partial, around, beyond } = useNeighbourhood(address);
  useFullName(part?.root);
  const shown = useShown(part, address);
  const select = useCallback((selected: ColumnChoice | null) => change({ selected }), []);
  const actions = useActions(shown?.reach ?? null, address, part);
  if (address.dataset === null)
    return <ChooseFirst message="See where a dataset or column comes from and what it feeds." address={address} />;
  return (
    <div className="lineage-view">
      {/* What is already drawn stays, and says that more is loading. */}
      <LoadState loaded={{ ...around, value: part, slow: around.slow && part === null }} />
      <LoadState loaded={{ ...beyond, value: part, slow: false }} />
      {shown === null ? null : (
        <LineageGraph
          part={shown.part}
          label={`Lineage of ${address.dataset}`}
          selected={address.selected}
          onSelect={select}
          jobs={address.jobs}
          folded={address.folded}
          pinned={address.pinned}
          actions={actions}
        >
          <Choices address={address} />
          <Said part={shown.part} loading={partial || beyond.loading} address={address} />
        </LineageGraph>
      )}
    </div>
  );
}

type Reached = ReturnType<typeof reach>;

/** What is shown of the loaded graph, and how it is reached. */
function useShown(part: GraphPart | null, address: Address): { part: GraphPart; reach: Reached } | null {
  const { expanded, collapsed, pinned } = address;
  return useMemo(() => {
    if (part === null) return null;
    const hidden = expansionsOf(collapsed);
    const reached = reach(part, expansionsOf(expanded), hidden, pinned);
    return { part: hidden.length === 0 ? part : keeping(part, reached.datasets), reach: reached };
  }, [part, expanded, collapsed, pinned]);
}

function useActions(reached: Reached | null, address: Address, part: GraphPart | null): BoxActions {
  const { depth, expanded, collapsed, direction } = address;
  const sides = useMemo(() => {
    const loaded = new Set(part?.edges.flatMap((edge) => [`<${edge.toDataset}`, `>${edge.fromDataset}`]));
    const leads = new Map(part?.datasets.map((dataset) => [dataset.id, dataset.leads]));
    const opened = new Set(expansionsOf(expanded).map((expansion) => printExpansion({ ...expansion, all: false })));
    return (dataset: string, side: Side): SideAction => {
      const key = printExpansion({ dataset, side, all: false });
      if (collapsed.includes(key)) return "expand";
      const steps = reached?.[side].get(dataset);
      if (steps !== undefined && loaded.has(key)) return "collapse";
      const inDirection = direction === "both" || direction === side;
      const known = opened.has(key) || (steps !== undefined && inDirection && (depth === null || steps < depth));
      return known || leads.get(dataset)?.[side] === false ? "none" : "expand";
    };
  }, [reached, part, expanded, collapsed, depth, direction]);
  return useMemo(
    () => ({
      side: sides,
      onSide: (dataset, side, action) => change(turned(currentAddress(), dataset, side, action)),
      onAll: (dataset, side) => {
        const { expanded: now, collapsed: hidden } = currentAddress();
        const expansion = printExpansion({ dataset, side, all: false });
        const all = printExpansion({ dataset, side, all: true });
        change({
          expanded: [...now.filter((text) => text !== all && text !== expansion), all],
          collapsed: hidden.filter((text) => text !== expansion),
        });
      },
      onFocus: (dataset) => {
        const { direction: way, depth: far, indirect, jobs, asOf, namespaces } = currentAddress();
        go({ ...HOME, view: "lineage", dataset, direction: way, depth: far, indirect, jobs, asOf, namespaces });
      },
      onPin: (dataset) => change({ pinned: toggled(currentAddress().pinned, dataset) }),
      onFold: (dataset) => change({ folded: toggled(currentAddress().folded, dataset) }),
      onDetails: (details) => change({ details }),
    }),
    [sides],
  );
}

/** The address with a side of a dataset shown or hidden. */
export function turned(address: Address, dataset: string, side: Side, action: SideAction): Partial<Address> {
  const expansion = printExpansion({ dataset, side, all: false });
  const all = printExpansion({ dataset, side, all: true });
  const others = address.expanded.filter((text) => text !== expansion && text !== all);
  const opened = others.length < address.expanded.length;
  if (action === "collapse") return opened ? { expanded: others } : { collapsed: [...address.collapsed, expansion] };
  if (address.collapsed.includes(expansion))
    return { collapsed: address.collapsed.filter((text) => text !== expansion) };
  return { expanded: [...others, expansion] };
}

function toggled(all: readonly string[], item: string): readonly string[] {
  return all.includes(item) ? all.filter((other) => other !== item) : [...all, item];
}

/** What of the graph is loaded and shown. */
export function Choices({ address }: { readonly address: Address }) {
  // A version has a provenance, and nothing downstream.
  const sides = address.version === null && address.compare?.of !== "versions";
  return (
    <>
      {sides ? <DirectionChoice direction={address.direction} /> : null}
      <label>
        <span className="unseen">Steps</span>
        <select
          value={address.depth ?? "all"}
          onChange={(event) => change({ depth: event.target.value === "all" ? null : Number(event.target.value) })}
        >
          {[...new Set([...DEPTHS, ...(address.depth === null ? [] : [address.depth])])].map((steps) => (
            <option key={steps} value={steps}>
              {steps === 1 ? "1 step" : `${steps} steps`}
            </option>
          ))}
          <option value="all">to the end</option>
        </select>
      </label>
      <Switch on={address.indirect} onChange={(indirect) => change({ indirect })}>
        Indirect
      </Switch>
      <Switch on={address.jobs} onChange={(jobs) => change({ jobs })}>
        Jobs
      </Switch>
    </>
  );
}

function DirectionChoice({ direction }: Pick<Address, "direction">) {
  return (
    <label>
      <span className="unseen">Direction</span>
      <select
        value={direction}
        onChange={(event) =>
          change({ direction: DIRECTIONS.find((direction) => direction === event.target.value) ?? "both" })
        }
      >
        <option value="both">Up and down</option>
        <option value="upstream">Upstream</option>
        <option value="downstream">Downstream</option>
      </select>
    </label>
  );
}

function Switch(props: {
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly children: ReactNode;
}) {
  return (
    <label className="switch">
      <input type="checkbox" checked={props.on} onChange={(event) => props.onChange(event.target.checked)} />
      {props.children}
    </label>
  );
}

/** How much is shown, and what is missing: still loading, cut by a limit, hidden. */
function Said({
  part,
  loading,
  address,
}: {
  readonly part: GraphPart;
  readonly loading: boolean;
  readonly address: Address;
}) {
  const cut = [part.cut.upstream ? "upstream" : "", part.cut.downstream ? "downstream" : ""]
    .filter(Boolean)
    .join(" and ");
  return (
    <>
      <span className="quiet" role="status">
        {part.datasets.length.toLocaleString("en")} datasets, {part.edges.length.toLocaleString("en")} edges
        {loading ? ", loading more…" : ""}
      </span>
      {cut === "" || loading ? null : (
        <button type="button" onClick={() => change({ limit: (address.limit ?? DEFAULT_LIMIT) * MORE })}>
          There is more {cut}: load more
        </button>
      )}
      {address.collapsed.length === 0 ? null : (
        <button type="button" onClick={() => change({ collapsed: [] })}>
          Show what is hidden
        </button>
      )}
      {part.provisional ? <span className="quiet">from a run that has not completed</span> : null}
      <NotKnown part={part} />
    </>
  );
}

/** What the graph may lack, folded: a sentence, and the list behind it. */
function NotKnown({ part }: { readonly part: GraphPart }) {
  if (part.unknown.length === 0) return null;
  const missing = new Set(part.unknown.filter(mayReach).map((entry) => JSON.stringify([entry.dataset, entry.reads])));
  return (
    <details className="not-known">
      <summary className="warn">
        {missing.size === 0
          ? "Some of this is not certain"
          : `May lack ${missing.size.toLocaleString("en")} ${missing.size === 1 ? "dataset" : "datasets"} without column lineage`}
      </summary>
      <UnknownList unknown={part.unknown} missing="May come from there, or go there, as well:" />
    </details>
  );
}
