import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';

/** Long enough that a word is not asked for letter by letter, short enough not to be noticed. */
const pauseMilliseconds = 250;

interface Props {
  label: string;
  hint?: string;
  /** What is searched for at the moment; may change from outside, as by going back. */
  value: string;
  onSearch: (text: string) => void;
}

/** Asks when the typing pauses. What is typed is never overwritten by an answer that comes meanwhile. */
export function SearchField({ label, hint, value, onSearch }: Props) {
  const id = useId();
  const [draft, setDraft] = useState(value);
  const [known, setKnown] = useState(value);
  const [asked, setAsked] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (value !== known) {
    setKnown(value);
    if (value !== asked) setDraft(value);
    setAsked(value);
  }
  function change(event: ChangeEvent<HTMLInputElement>) {
    const text = event.target.value;
    setDraft(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setAsked(text.trim());
      onSearch(text.trim());
    }, pauseMilliseconds);
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="search"
        name="search"
        maxLength={200}
        value={draft}
        onChange={change}
        aria-describedby={`${id}-note`}
      />
      <span id={`${id}-note`} className="hint">
        {hint}
      </span>
    </div>
  );
}
