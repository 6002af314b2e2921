/** One box for all names. */

export function SearchBox() {
  return <input type="search" className="search" aria-label="Search" placeholder="Search datasets, columns, jobs" />;
}
