/** The frame around all views: the bar, the view that the address names, and the drawer. */

import { useEffect } from "react";
import { HOME, type View } from "../address/address";
import { Link, useAddress } from "../address/router";
import { titleOf } from "../address/title";
import { Drawer } from "../details/drawer";
import { Overview } from "../overview/overview";
import { SearchBox } from "../search/search_box";
import { Later, type LoadView } from "./later";
import { Tabs } from "./tabs";
import { chooseTheme, useTheme } from "./theme";

// The graph code is large: it is loaded with the first address that needs it.
const VIEWS: Readonly<Record<Exclude<View, "overview">, LoadView>> = {
  lineage: () => import("../graph/lineage_view"),
  time: () => import("../time/time_view"),
  impact: () => import("../impact/impact_view"),
  privacy: () => import("../privacy/privacy_view"),
};

export function Page() {
  const address = useAddress();
  const title = titleOf(address);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className="page">
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="bar">
        <Link to={HOME} className="brand">
          Headwater
        </Link>
        <SearchBox />
        <ThemeSwitch />
      </header>
      <Tabs address={address} />
      <div className="below">
        <main id="content" tabIndex={-1}>
          {address.view === "overview" ? (
            <Overview />
          ) : (
            <Later key={address.view} load={VIEWS[address.view]} address={address} />
          )}
        </main>
        {address.details === null ? null : <Drawer details={address.details} />}
      </div>
    </div>
  );
}

function ThemeSwitch() {
  const theme = useTheme();
  const other = theme === "dark" ? "light" : "dark";
  return (
    <button
      type="button"
      className="plain theme"
      onClick={() => chooseTheme(other)}
      aria-label={`Use the ${other} theme`}
    >
      {theme === "dark" ? "☀" : "☾"}
    </button>
  );
}
