/** The frame around all views: the bar, the view that the address names, and the drawer. */

import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { type Address, HOME } from "../address/address";
import { Link, useAddress } from "../address/router";
import { titleOf } from "../address/title";
import { Drawer } from "../details/drawer";
import { Overview } from "../overview/overview";
import { SearchBox } from "../search/search_box";
import { Tabs } from "./tabs";
import { chooseTheme, useTheme } from "./theme";
import { Waiting } from "./waiting";

// What draws graphs is large: it is loaded with the first address that needs it.
const Lineage = lazy(() => import("../graph/lineage_view"));
const Time = lazy(() => import("../time/time_view"));
const Impact = lazy(() => import("../impact/impact_view"));
const Privacy = lazy(() => import("../privacy/privacy_view"));

export function Page() {
  const address = useAddress();
  const title = titleOf(address);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className="page">
      <a className="skip" href="#content">
        Skip to the content
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
          <Suspense fallback={<Waiting />}>{shown(address)}</Suspense>
        </main>
        {address.details === null ? null : <Drawer details={address.details} />}
      </div>
    </div>
  );
}

function shown(address: Address): ReactNode {
  switch (address.view) {
    case "overview":
      return <Overview />;
    case "lineage":
      return <Lineage address={address} />;
    case "time":
      return <Time address={address} />;
    case "impact":
      return <Impact address={address} />;
    case "privacy":
      return <Privacy address={address} />;
  }
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
