/** What a view says that is about a dataset or a column, as long as none is chosen. */

export function ChooseFirst({ what }: { readonly what: string }) {
  return (
    <p className="quiet" role="status">
      {what} Search for a dataset or a column above, or open one from the overview.
    </p>
  );
}
