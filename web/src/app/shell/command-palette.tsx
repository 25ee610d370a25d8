import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { scrollIntoView } from '../../lib/scroll-into-view.ts';
import { useIdentity } from '../../lib/session.ts';
import * as texts from '../../texts/shell.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/form/field.tsx';
import styles from './command-palette.module.css';
import { type Command, commandsFor, findCommands, isTyping, searchesFor } from './commands.ts';
import { ShortcutList } from './shortcut-list.tsx';

/**
 * Opens with Ctrl+K and finds every page by the first letters of its words, and searches the lists.
 * `?` lists the keys.
 */
export function CommandPalette() {
  const [open, setOpen] = useState<'commands' | 'keys' | null>(null);
  useEffect(() => {
    function onKey(event: globalThis.KeyboardEvent) {
      if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        setOpen('commands');
      } else if (event.key === '?' && !isTyping(event.target)) setOpen('keys');
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  const close = () => setOpen(null);
  if (open === 'keys') return <ShortcutList onClose={close} />;
  if (open === 'commands') return <Palette onClose={close} />;
  return null;
}

function Palette({ onClose }: { onClose: () => void }) {
  const identity = useIdentity();
  const listId = useId();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [marked, setMarked] = useState(0);
  const found = findCommands(commandsFor(identity), { typed, searches: searchesFor(identity) });
  const current = found[Math.min(marked, found.length - 1)];
  const optionId = ({ path }: Command) => `${listId}-${path}`;
  function go(command: Command | undefined) {
    if (!command) return;
    onClose();
    void navigate(command.path);
  }
  function onKeyDown(event: KeyboardEvent) {
    // Keys that choose among Chinese or Japanese words.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setMarked((Math.min(marked, found.length - 1) + step + found.length) % found.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      go(current);
    }
  }
  return (
    <Dialog title={texts.goTo} onClose={onClose}>
      <Field label={texts.page}>
        {({ id }) => (
          <input
            id={id}
            role="combobox"
            aria-expanded
            aria-controls={listId}
            aria-activedescendant={current && optionId(current)}
            autoComplete="off"
            value={typed}
            onChange={({ target }) => {
              setTyped(target.value);
              setMarked(0);
            }}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <div role="listbox" id={listId} className={styles.commands} aria-label={texts.pages}>
        {found.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
          <div
            key={command.path}
            id={optionId(command)}
            role="option"
            tabIndex={-1}
            aria-selected={command === current}
            ref={command === current ? scrollIntoView : undefined}
            onClick={() => go(command)}
          >
            {command.label}
          </div>
        ))}
      </div>
    </Dialog>
  );
}
