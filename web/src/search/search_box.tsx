/** One box for datasets, columns and jobs: results while typing, the keyboard to choose, recent places. */
import "./search_box.css";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { currentAddress, go } from "../address/router";
import { askMany } from "../api/client";
import { useLoaded } from "../api/loaded";
import { LoadState } from "../shell/waiting";
import { recentItems, remember } from "./recent";
import { addressOf, type Group, grouped, type Item, itemKey, itemOf, shortLabel, stepped } from "./results";

/** How long to wait for the next letter. */
const PAUSE_MS = 120;
const OF_EACH_KIND = 6;

async function searchItems(text: string, signal: AbortSignal): Promise<readonly Item[]> {
  const question = { question: "search", text, limit: OF_EACH_KIND } as const;
  // Each kind by itself: there are many more columns than tables.
  const answers = await askMany(
    [
      { ...question, kinds: ["dataset"] },
      { ...question, kinds: ["field"] },
      { ...question, kinds: ["job"] },
    ],
    { signal },
  );
  return answers.flatMap((answer) => answer.hits.map(itemOf));
}

export function SearchBox() {
  const box = useRef<HTMLInputElement>(null);
  const id = useId();
  const [text, setText] = useState("");
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  // Enter was pressed before the results for the typed text arrived.
  const [opening, setOpening] = useState(false);
  const query = usePaused(text.trim());
  const hits = useLoaded(open && query !== "" ? query : null, (signal) => searchItems(query, signal));
  useHotkeys(() => box.current?.select());

  const searching = text.trim() !== "";
  const groups = searching ? grouped(hits.value ?? []) : [{ title: "Recent", items: open ? recentItems() : [] }];
  const items = groups.flatMap((group) => group.items);
  const chosen = items[at];

  const close = () => {
    setOpen(false);
    setAt(-1);
    setOpening(false);
  };
  const follow = (item: Item) => {
    remember(item);
    close();
    setText("");
    box.current?.blur();
    go(addressOf(item, currentAddress()));
  };
  const done = hits.fresh && !hits.loading && query === text.trim();
  const best = opening && searching && done ? items[0] : undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when there is a best one
  useEffect(() => {
    if (best) follow(best);
  }, [best]);

  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setAt(stepped(at, step, items.length));
    else if (event.key === "Enter") {
      if (chosen) follow(chosen);
      else setOpening(true);
    } else if (event.key === "Escape") {
      close();
      box.current?.blur();
    } else return;
    event.preventDefault();
  };

  return (
    <search
      className="search"
      onBlur={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget)) close();
      }}
    >
      <input
        ref={box}
        type="search"
        role="combobox"
        aria-label="Search datasets, columns and jobs"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={chosen ? `${id}-${at}` : undefined}
        placeholder="Search datasets, columns, jobs"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(-1);
          setOpening(false);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onKeyDown={press}
      />
      <span className="key" aria-hidden="true">
        /
      </span>
      {/* The list keeps the box focused: a press on it must not close it before the click. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the box has the keyboard */}
      <div className="results" hidden={!open} onMouseDown={(event) => keepFocus(event)}>
        {searching ? <LoadState loaded={hits} /> : null}
        <div id={`${id}-list`} role="listbox" aria-label="Search results">
          {groups.map((group) => (
            <Options
              key={group.title}
              group={group}
              first={items.indexOf(group.items[0] as Item)}
              at={at}
              id={id}
              follow={follow}
            />
          ))}
        </div>
        {searching && done && items.length === 0 ? <p className="quiet">Nothing matches “{query}”.</p> : null}
        {!searching && items.length === 0 ? (
          <p className="quiet">Searches names, tags and descriptions. Typos are tolerated.</p>
        ) : null}
      </div>
    </search>
  );
}

interface OptionsProps {
  readonly group: Group;
  readonly first: number;
  readonly at: number;
  readonly id: string;
  readonly follow: (item: Item) => void;
}

function Options({ group, first, at, id, follow }: OptionsProps) {
  if (group.items.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset may not stand in a listbox
    <div role="group" aria-label={group.title}>
      <p className="title" aria-hidden="true">
        {group.title}
      </p>
      {group.items.map((item, place) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the box has the keyboard, and tells the list by its id
        // biome-ignore lint/a11y/useFocusableInteractive: the same
        <div
          key={itemKey(item)}
          id={`${id}-${first + place}`}
          role="option"
          aria-selected={first + place === at}
          className={`option ${item.kind}`}
          onClick={() => follow(item)}
          ref={first + place === at ? scrollTo : null}
        >
          <bdi className="label" title={item.label}>
            {shortLabel(item)}
          </bdi>
          <span className="place end" title={item.dataset}>
            <bdi>{item.dataset}</bdi>
          </span>
          {item.type === "" ? null : <code className="type">{item.type}</code>}
        </div>
      ))}
    </div>
  );
}

function keepFocus(event: { target: EventTarget; preventDefault: () => void }): void {
  const inField = event.target instanceof Element && event.target.closest("input, button") !== null;
  if (!inField) event.preventDefault();
}

function scrollTo(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}

/** A value once it has not changed for a moment. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}

/** `/` and Ctrl-K (on a Mac, Cmd-K); a slash that someone types elsewhere is a slash. */
function useHotkeys(focus: () => void): void {
  const latest = useRef(focus);
  latest.current = focus;
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const typing =
        event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]");
      const slash = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!slash && !(event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey))) return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, []);
}
