import { useId, useRef } from 'react';
import * as texts from '../../../texts/ask.ts';
import { TextArea } from '../../../ui/text-area.tsx';
import { type Edit, placeAt, useCompletion } from './completion.ts';

interface QuestionEditorProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  columns: readonly string[];
  variables: readonly string[];
  problem?: string | undefined;
  hint?: string | undefined;
  maxLength: number;
}

/** A text with variables: they are typed with completion, or put in with a press on their chip. */
export function QuestionEditor({
  columns,
  variables,
  value,
  onChange,
  ...field
}: QuestionEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const wasEntered = useRef(false);
  const listId = useId();

  function apply({ from, to, insert }: Edit) {
    const target = area.current;
    if (!target) return;
    target.focus();
    target.setRangeText(insert, from, to, 'end');
    onChange(target.value);
  }

  function onChip(name: string) {
    // Nobody has put the caret anywhere yet, so the text goes on at its end.
    const { selectionStart: from, selectionEnd: to } = area.current ?? {
      selectionStart: 0,
      selectionEnd: 0,
    };
    const selection = wasEntered.current ? { from, to } : { from: value.length, to: value.length };
    wasEntered.current = true;
    apply(placeAt(value, selection, name));
  }

  const { offered, marked, follow, take, close, onKeyDown } = useCompletion({
    text: value,
    names: [...columns, ...variables],
    apply,
  });
  const isOpen = offered.length > 0;
  return (
    <div className="ask-editor">
      <div className="ask-typing">
        <TextArea
          {...field}
          ref={area}
          name="question"
          rows={4}
          value={value}
          onChange={({ target }) => {
            onChange(target.value);
            follow(target);
          }}
          onSelect={({ currentTarget }) => {
            wasEntered.current = true;
            follow(currentTarget);
          }}
          onKeyDown={onKeyDown}
          onBlur={close}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-controls={isOpen ? listId : undefined}
          aria-activedescendant={isOpen ? `${listId}-${marked}` : undefined}
        />
        {isOpen && <CompletionList id={listId} names={offered} marked={marked} onTake={take} />}
      </div>
      <span className="heard" role="status">
        {isOpen && texts.namesFit(offered.length)}
      </span>
      <NameChips label={texts.insertColumn} names={columns} onPress={onChip} />
      <NameChips label={texts.insertVariable} names={variables} onPress={onChip} />
    </div>
  );
}

interface CompletionListProps {
  id: string;
  names: readonly string[];
  marked: number;
  onTake: (name: string) => void;
}

/** The names that fit. The focus stays in the text, so a press must not take it away. */
export function CompletionList({ id, names, marked, onTake }: CompletionListProps) {
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

interface NameChipsProps {
  label: string;
  names: readonly string[];
  onPress: (name: string) => void;
}

export function NameChips({ label, names, onPress }: NameChipsProps) {
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
