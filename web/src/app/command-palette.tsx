import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '../lib/paths.ts';
import * as texts from '../texts/app.ts';
import { Dialog } from '../ui/dialog.tsx';
import { RichText } from '../ui/rich-text.tsx';
import { type Command, findCommands, isTyping } from './commands.ts';
import { ShortcutList } from './shortcut-list.tsx';

/** Opens with Ctrl+K: everywhere one can go, by its first letters. `?` lists the keys. */
export function CommandPalette({ commands }: { commands: readonly Command[] }) {
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
  if (open === 'commands') return <Palette commands={commands} onClose={close} />;
  return null;
}

function Palette({ commands, onClose }: { commands: readonly Command[]; onClose: () => void }) {
  const id = useId();
  const navigate = useNavigate();
  const [words, setWords] = useState('');
  const [marked, setMarked] = useState(0);
  const found = findCommands(commands, words);
  const present = found[Math.min(marked, found.length - 1)];
  function go(command: Command | undefined) {
    if (!command) return;
    onClose();
    void navigate(command.path);
  }
  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) {
      event.preventDefault();
      setMarked((Math.min(marked, found.length - 1) + step + found.length) % found.length);
    }
    if (event.key === 'Enter') {
      event.preventDefault();
      go(present);
    }
  }
  return (
    <Dialog title={texts.goTo} className="palette" onClose={onClose}>
      <div className="field">
        <label htmlFor={id}>{texts.page}</label>
        <input
          id={id}
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={present ? `${id}-${present.path}` : undefined}
          autoComplete="off"
          value={words}
          onChange={({ target }) => {
            setWords(target.value);
            setMarked(0);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div role="listbox" id={`${id}-list`} aria-label={texts.pages}>
        {found.map((command) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the field, which keeps the focus
          <div
            key={command.path}
            id={`${id}-${command.path}`}
            role="option"
            tabIndex={-1}
            aria-selected={command === present}
            onClick={() => go(command)}
          >
            {command.label}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className="muted" role="status">
          <RichText
            text={texts.noPage}
            parts={{ help: <a href={paths.help}>{texts.noPageHelp}</a> }}
          />
        </p>
      )}
    </Dialog>
  );
}
