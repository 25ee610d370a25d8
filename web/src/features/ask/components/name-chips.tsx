interface Props {
  label: string;
  names: readonly string[];
  onPress: (name: string) => void;
}

export function NameChips({ label, names, onPress }: Props) {
  if (names.length === 0) return null;
  return (
    <fieldset className="ask-chips">
      <legend>{label}</legend>
      {names.map((name) => (
        <button key={name} type="button" className="ask-chip" onClick={() => onPress(name)}>
          {`{{${name}}}`}
        </button>
      ))}
    </fieldset>
  );
}
