import { type ChangeEvent, useEffect, useRef, useState } from 'react';
import { Field } from './field.tsx';

/** Long enough not to search letter by letter, short enough not to be noticed. */
const pauseMilliseconds = 250;

interface Props {
  label: string;
  hasHiddenLabel?: boolean;
  placeholder?: string;
  /** The current search; it may change from outside, as by going back. */
  value: string;
  onSearch: (text: string) => void;
}

/** Searches when the typing pauses. A late result never overwrites what is being typed. */
export function SearchField({ placeholder, value, onSearch, ...field }: Props) {
  const [draft, setDraft] = useState(value);
  const [known, setKnown] = useState(value);
  const [searched, setSearched] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (value !== known) {
    setKnown(value);
    if (value !== searched) setDraft(value);
    setSearched(value);
  }
  function change(event: ChangeEvent<HTMLInputElement>) {
    const text = event.target.value;
    setDraft(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      setSearched(text.trim());
      onSearch(text.trim());
    }, pauseMilliseconds);
  }
  return (
    <Field {...field}>
      {({ id, 'aria-describedby': note }) => (
        <input
          id={id}
          type="search"
          name="search"
          maxLength={200}
          placeholder={placeholder}
          value={draft}
          onChange={change}
          // In a form it would send it, and the search needs none.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          aria-describedby={note}
        />
      )}
    </Field>
  );
}
