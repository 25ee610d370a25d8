import { Upload } from 'lucide-react';
import { type ChangeEvent, type DragEvent, type FormEvent, useRef, useState } from 'react';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Filled } from '../../../ui/filled.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { limitsInWords, sampleFile } from './upload.ts';

type OnFile = (file: Blob, name: string) => void;

/** Every way in for a sheet. Dropping is for the mouse; the button does the same for everybody. */
export function DropZone({ onFile }: { onFile: OnFile }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);

  function take(files: FileList | null) {
    const [file] = files ?? [];
    if (!file) return;
    if (files && files.length > 1) showToast('info', texts.oneAtATime(file.name));
    onFile(file, file.name);
  }

  function onDrop(event: DragEvent) {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  }

  function onDragLeave({ currentTarget, relatedTarget }: DragEvent) {
    if (!currentTarget.contains(relatedTarget as Node | null)) setOver(false);
  }

  function onDragOver(event: DragEvent) {
    event.preventDefault();
    setOver(true);
  }

  /** Emptied, so that the same file can be chosen again after it was mended. */
  function onChange({ target }: ChangeEvent<HTMLInputElement>) {
    take(target.files);
    target.value = '';
  }

  return (
    <div className="stack">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is an extra; the buttons within do the same */}
      <div
        className={isOver ? 'ask-drop ask-over' : 'ask-drop'}
        onDragOver={onDragOver}
        onDragLeave={onDragLeave}
        onDrop={onDrop}
      >
        <Upload aria-hidden size={28} />
        <p>
          <Filled text={texts.dropOrChoose} parts={{ drop: <strong>{texts.drop}</strong> }} />
        </p>
        <div className="row">
          <Button onClick={() => input.current?.click()}>{texts.chooseFile}</Button>
          <Button variant="secondary" onClick={() => onFile(...sampleFile())}>
            {texts.takeSample}
          </Button>
        </div>
        <p className="soft">
          {limitsInWords} {texts.separators}
        </p>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={texts.sheet}
          accept=".csv,.tsv,.tab,.txt,text/csv,text/plain"
          onChange={onChange}
        />
      </div>
      <details className="ask-details">
        <summary>{texts.pasteInstead}</summary>
        <PasteForm
          onText={(text) => onFile(new Blob([text], { type: 'text/csv' }), texts.pastedName)}
        />
      </details>
    </div>
  );
}

export function PasteForm({ onText }: { onText: (text: string) => void }) {
  const [problem, setProblem] = useState<string>();
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('text') ?? '');
    setProblem(text.trim() ? undefined : texts.pasteFirst);
    if (text.trim()) onText(text);
  }
  return (
    <form className="stack" onSubmit={onSubmit} noValidate>
      <TextArea
        label={texts.pastedRows}
        name="text"
        rows={6}
        spellCheck={false}
        problem={problem}
        hint={texts.pasteHint}
      />
      <div>
        <Button type="submit" variant="secondary">
          {texts.takeText}
        </Button>
      </div>
    </form>
  );
}
