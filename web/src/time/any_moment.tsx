/** A moment that is not on the slider: any day and time. */

interface Props {
  readonly label: string;
  readonly onChoose: (at: string) => void;
}

export function AnyMoment({ label, onChoose }: Props) {
  return (
    <label className="at">
      <span className="unseen">{label}</span>
      <input
        type="datetime-local"
        step={1}
        title={label}
        onChange={(event) => event.target.value !== "" && onChoose(`${event.target.value}Z`)}
      />
    </label>
  );
}
