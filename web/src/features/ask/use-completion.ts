import { type KeyboardEvent, useState } from 'react';
import { complete, type Edit, matching, typingAt } from './completion.ts';

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
