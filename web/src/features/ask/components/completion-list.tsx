import * as texts from '../../../texts/ask.ts';

interface Props {
  id: string;
  names: readonly string[];
  marked: number;
  onTake: (name: string) => void;
}

/** The names that fit. The focus stays in the text, so a press must not take it away. */
export function CompletionList({ id, names, marked, onTake }: Props) {
  return (
    <div id={id} role="listbox" className="ask-completion" aria-label={texts.columnsAndVariables}>
      {names.map((name, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled in the text, where the focus is
        <div
          key={name}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === marked}
          ref={index === marked ? keepInSight : undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onTake(name)}
        >
          {name}
        </div>
      ))}
    </div>
  );
}

function keepInSight(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}
