import { normalised, variablesIn } from '@rowmill/contract';
import { type KeyboardEvent, useState } from 'react';

/** Replaces the text between two positions. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
}

const openVariable = /\{\{[^\S\n]{0,200}([^{}\n]{0,200})$/;

/** A variable while it is typed: its position and the part of its name before the caret. */
export function typedVariable(text: string, caret: number) {
  const match = openVariable.exec(text.slice(0, caret));
  return match ? { from: match.index, to: caret, name: match[1] ?? '' } : null;
}

/** Names that contain the typed text, those that start with it first. */
export function matchNames(names: readonly string[], typed: string): string[] {
  const searched = typed.trim().toLowerCase();
  const matches = names.filter((name) => name.toLowerCase().includes(searched));
  const isPrefix = (name: string) => name.toLowerCase().startsWith(searched);
  return [...matches.filter(isPrefix), ...matches.filter((name) => !isPrefix(name))];
}

/** Replaces the typed part by the name, and the rest of the variable at the caret. */
export function completeVariable(
  text: string,
  { from, to }: Omit<Edit, 'insert'>,
  name: string,
): Edit {
  const rest = /^[^{}\n]*\}\}/.exec(text.slice(to))?.[0] ?? '';
  return { from, to: to + rest.length, insert: `{{${name}}}` };
}

/** Replaces the selection by a variable, with spaces between it and the words beside it. */
export function insertVariable(text: string, selection: Omit<Edit, 'insert'>, name: string): Edit {
  const before = /[\p{L}\p{N}.,;:!?}]$/u.test(text.slice(0, selection.from)) ? ' ' : '';
  const after = /^[\p{L}\p{N}{]/u.test(text.slice(selection.to)) ? ' ' : '';
  return { ...selection, insert: `${before}{{${name}}}${after}` };
}

/** A name with braces or outer spaces cannot be written in a prompt. */
export function canBeInserted(name: string): boolean {
  const [parsed] = variablesIn(`{{${name}}}`);
  return parsed === normalised(name);
}

/** Whether the text has braces that do not form a variable, which is usually a mistake. */
export function hasOpenBraces(text: string): boolean {
  return text.replace(/\{\{[^{}]*\}\}/g, '').includes('{{');
}

/** The parts of a text, with the names of those that are variables. One needs a name. */
export function splitVariables(text: string) {
  let from = 0;
  return text.split(/(\{\{[^{}]+\}\})/).map((part, index) => {
    const start = from;
    from += part.length;
    const name = index % 2 === 1 ? normalised(part.slice(2, -2)).trim() : '';
    return { from: start, text: part, name: name || null };
  });
}

interface Options {
  text: string;
  names: readonly string[];
  applyEdit(edit: Edit): void;
}

const maximumMatches = 50;
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** The list of names that opens while a variable is typed. The focus stays in the text field. */
export function useCompletion({ text, names, applyEdit }: Options) {
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const typed = caret === null ? null : typedVariable(text, caret);
  const matches = typed ? matchNames(names, typed.name).slice(0, maximumMatches) : [];
  const close = () => setCaret(null);

  function followCaret({ selectionStart, selectionEnd }: HTMLTextAreaElement): void {
    const position = selectionStart === selectionEnd ? selectionStart : null;
    if (position === caret) return;
    setCaret(position);
    setActive(0);
  }

  function pick(name: string | undefined): void {
    if (typed && name !== undefined) applyEdit(completeVariable(text, typed, name));
    close();
  }

  /** Whether the list handled the key. */
  function handleKey(key: string): boolean {
    const step = steps[key];
    if (step) setActive((active + step + matches.length) % matches.length);
    else if (key === 'Enter') pick(matches[active]);
    else if (key === 'Escape') close();
    else return false;
    return true;
  }

  function onKeyDown(event: KeyboardEvent): void {
    // While an input method composes a character, Enter ends the composition.
    if (matches.length === 0 || event.nativeEvent.isComposing) return;
    if (handleKey(event.key)) event.preventDefault();
  }

  return { matches, active, followCaret, pick, close, onKeyDown };
}
