import { variablesIn } from '@rowmill/contract';
import { type KeyboardEvent, useState } from 'react';

/** A piece of text that takes the place of what stands between two positions. */
export interface Edit {
  from: number;
  to: number;
  insert: string;
}

/** A variable that is being typed: where it begins, and its name as far as it is there. */
export interface Typing {
  from: number;
  to: number;
  name: string;
}

const open = /\{\{[^\S\n]*([^{}\n]{0,200})$/;

export function typingAt(text: string, caret: number): Typing | null {
  const found = open.exec(text.slice(0, caret));
  return found ? { from: found.index, to: caret, name: found[1] ?? '' } : null;
}

/** Names that fit what is typed: those that begin with it before those that hold it, in their own order. */
export function matching(names: readonly string[], typed: string): string[] {
  const wanted = typed.trim().toLowerCase();
  const fitting = names.filter((name) => name.toLowerCase().includes(wanted));
  const begins = (name: string) => name.toLowerCase().startsWith(wanted);
  return [...fitting.filter(begins), ...fitting.filter((name) => !begins(name))];
}

/** Puts the name in the place of what was typed. Where the caret is within a variable, the rest of that goes too. */
export function complete(text: string, { from, to }: Typing, name: string): Edit {
  const closing = /^[^{}\n]*\}\}/.exec(text.slice(to))?.[0] ?? '';
  return { from, to: to + closing.length, insert: `{{${name}}}` };
}

/** Puts a variable where the caret is, in the place of what is selected, apart from the word before and after it. */
export function placeAt(text: string, selection: { from: number; to: number }, name: string): Edit {
  const before = /[\p{L}\p{N}.,;:!?}]$/u.test(text.slice(0, selection.from)) ? ' ' : '';
  const after = /^[\p{L}\p{N}{]/u.test(text.slice(selection.to)) ? ' ' : '';
  return { ...selection, insert: `${before}{{${name}}}${after}` };
}

/** A name with braces, or with spaces at its ends, cannot be asked for in a template. */
export function canBeNamed(name: string): boolean {
  const [read] = variablesIn(`{{${name}}}`);
  return read === name;
}

/** Whether braces are left that make no variable, which is hardly meant. */
export function hasOpenBraces(text: string): boolean {
  return text.replace(/\{\{[^{}]*\}\}/g, '').includes('{{');
}

interface Options {
  text: string;
  names: readonly string[];
  apply(edit: Edit): void;
}

const offeredAtMost = 50;
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };

/** The list of names that opens while a variable is typed. The focus stays in the text; the keys move a mark in the list. */
export function useCompletion({ text, names, apply }: Options) {
  const [caret, setCaret] = useState<number | null>(null);
  const [marked, setMarked] = useState(0);
  const typing = caret === null ? null : typingAt(text, caret);
  const offered = typing ? matching(names, typing.name).slice(0, offeredAtMost) : [];
  const close = () => setCaret(null);

  function follow({ selectionStart, selectionEnd }: HTMLTextAreaElement): void {
    const at = selectionStart === selectionEnd ? selectionStart : null;
    if (at === caret) return;
    setCaret(at);
    setMarked(0);
  }

  function take(name: string | undefined): void {
    if (typing && name !== undefined) apply(complete(text, typing, name));
    close();
  }

  /** Whether the key was one for the list. */
  function obey(key: string): boolean {
    const step = steps[key];
    if (step) setMarked((marked + step + offered.length) % offered.length);
    else if (key === 'Enter') take(offered[marked]);
    else if (key === 'Escape') close();
    else return false;
    return true;
  }

  function onKeyDown(event: KeyboardEvent): void {
    // An Enter that ends the composition of a character is not one that chooses.
    if (offered.length === 0 || event.nativeEvent.isComposing) return;
    if (obey(event.key)) event.preventDefault();
  }

  return { offered, marked, follow, take, close, onKeyDown };
}
