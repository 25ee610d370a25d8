import { type KeyboardEvent, useId, useRef } from 'react';
import { scrollIntoView } from '../../../lib/scroll-into-view.ts';
import * as texts from '../../../texts/ask.ts';
import { Field } from '../../../ui/form/field.tsx';
import { type Edit, insertVariable, splitVariables, useCompletion } from './completion.ts';
import styles from './prompt.module.css';

interface Props {
  label: string;
  value: string;
  onChange: (text: string) => void;
  columns: readonly string[];
  variables: readonly string[];
  /** The names in the prompt that nothing fills in. */
  missing: readonly string[];
  problem?: string;
  hint?: string;
  maxLength: number;
  /** Ctrl+Enter. */
  onSubmit?: (() => void) | undefined;
}

/** A text field for a prompt. Variables are completed while typing, or inserted by their chip. */
export function PromptEditor(props: Props) {
  const { columns, variables, missing, value, onChange } = props;
  const { label, problem, hint, maxLength, onSubmit } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const hasCaret = useRef(false);
  const listId = useId();

  function applyEdit({ from, to, insert }: Edit) {
    const target = area.current;
    if (!target) return;
    target.focus();
    target.setSelectionRange(from, to);
    // Deprecated, but the only way to insert text that Ctrl+Z can undo.
    if (document.execCommand('insertText', false, insert)) return;
    target.setRangeText(insert, from, to, 'end');
    onChange(target.value);
  }

  function insertChip(name: string) {
    const { selectionStart, selectionEnd } = area.current ?? { selectionStart: 0, selectionEnd: 0 };
    // Before the field was ever focused, a chip is added at the end.
    const selection = hasCaret.current
      ? { from: selectionStart, to: selectionEnd }
      : { from: value.length, to: value.length };
    hasCaret.current = true;
    applyEdit(insertVariable(value, selection, name));
  }

  const completion = useCompletion({ text: value, names: [...columns, ...variables], applyEdit });
  const { matches, active } = completion;
  const isOpen = matches.length > 0;
  function onKeyDown(event: KeyboardEvent) {
    if (onSubmit && event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onSubmit();
    } else completion.onKeyDown(event);
  }
  return (
    <div className={styles.editor}>
      <div className={styles.field}>
        <Field label={label} name="question" problem={problem} hint={isOpen ? ' ' : hint}>
          {(control) => (
            <div className={styles.text}>
              <Highlights text={value} missing={missing} />
              <textarea
                {...control}
                ref={area}
                name="question"
                maxLength={maxLength}
                value={value}
                onChange={({ target }) => {
                  onChange(target.value);
                  completion.followCaret(target);
                }}
                onSelect={({ currentTarget }) => {
                  hasCaret.current = true;
                  completion.followCaret(currentTarget);
                }}
                onKeyDown={onKeyDown}
                onBlur={completion.close}
                aria-autocomplete="list"
                aria-haspopup="listbox"
                aria-controls={isOpen ? listId : undefined}
                aria-activedescendant={isOpen ? `${listId}-${active}` : undefined}
              />
            </div>
          )}
        </Field>
        {isOpen && (
          <CompletionList id={listId} names={matches} active={active} onPick={completion.pick} />
        )}
      </div>
      <span className="sr-only" role="status">
        {isOpen && texts.namesMatch(matches.length)}
      </span>
      <NameChips label={texts.insertColumn} names={columns} onPress={insertChip} />
      <NameChips label={texts.insertVariable} names={variables} onPress={insertChip} />
    </div>
  );
}

/** Colours the variables behind the text, and makes the field as high as it. */
function Highlights({ text, missing }: { text: string; missing: readonly string[] }) {
  const isMissing = new Set(missing);
  return (
    <div aria-hidden className={styles.highlights}>
      {splitVariables(text).map(({ from, text, name }) =>
        name === null ? (
          text
        ) : (
          <mark key={from} data-known={!isMissing.has(name)}>
            {text}
          </mark>
        ),
      )}{' '}
    </div>
  );
}

interface CompletionListProps {
  id: string;
  names: readonly string[];
  active: number;
  onPick: (name: string) => void;
}

/** The focus stays in the text field, so pressing a name must not move it. */
function CompletionList({ id, names, active, onPick }: CompletionListProps) {
  return (
    <div
      id={id}
      role="listbox"
      className={styles.completions}
      aria-label={texts.columnsAndVariables}
    >
      {names.map((name, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text field has the keys
        <div
          key={name}
          id={`${id}-${index}`}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          ref={index === active ? scrollIntoView : undefined}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(name)}
        >
          {name}
        </div>
      ))}
    </div>
  );
}

interface NameChipsProps {
  label: string;
  names: readonly string[];
  onPress: (name: string) => void;
}

function NameChips({ label, names, onPress }: NameChipsProps) {
  if (names.length === 0) return null;
  return (
    <fieldset className={styles.chips}>
      <legend>{label}</legend>
      {names.map((name) => (
        <button key={name} type="button" className={styles.chip} onClick={() => onPress(name)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
