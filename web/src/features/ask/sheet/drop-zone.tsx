import { listFiles } from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { type ChangeEvent, type FormEvent, useRef, useState } from 'react';
import { Link } from 'react-router';
import { StorageNotice } from '../../../entities/storage-notice.tsx';
import { queryOf } from '../../../lib/api/query.ts';
import { paths } from '../../../lib/paths.ts';
import * as texts from '../../../texts/ask.ts';
import { manageSheets } from '../../../texts/sheets.ts';
import { Button } from '../../../ui/button.tsx';
import { Disclosure } from '../../../ui/form/disclosure.tsx';
import { TextArea } from '../../../ui/form/text-area.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { RichText } from '../../../ui/rich-text.tsx';
import { type Pasted, pastedFile, pasteProblem as problemOf, usePaste } from './paste.ts';
import styles from './sheet.module.css';
import { sampleFile, uploadLimits } from './upload.ts';

interface Props {
  /** Why the last file was refused. */
  problem: string | null;
  /** A file is dragged over the page. */
  isOver: boolean;
  onFile: (file: Blob, name: string, delimiter?: '\t') => void;
}

/** Every way to add a sheet: choose a file or drop it, use the sample or paste text. */
export function DropZone({ problem, isOver, onFile }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [pasteProblem, setPasteProblem] = useState<string>();
  usePaste(({ file, name, delimiter }) => send(file, name, delimiter), setPasteProblem);

  const send: Props['onFile'] = (...file) => {
    setPasteProblem(undefined);
    onFile(...file);
  };

  const shown = pasteProblem ?? problem;

  /** Emptied, so that the same file can be chosen again after a correction. */
  function onChange({ target }: ChangeEvent<HTMLInputElement>) {
    const [file] = target.files ?? [];
    if (file) send(file, file.name);
    target.value = '';
  }

  return (
    <div className="stack">
      <div className={isOver ? `${styles.dropZone} ${styles.isOver}` : styles.dropZone}>
        <Upload aria-hidden size={28} />
        <p>
          <RichText text={texts.dropOrChoose} parts={{ drop: <strong>{texts.dropFile}</strong> }} />
        </p>
        <div className={`row ${styles.buttons}`}>
          <Button onClick={() => input.current?.click()}>{texts.chooseFile}</Button>
          <Button variant="secondary" onClick={() => send(...sampleFile())}>
            {texts.useSample}
          </Button>
        </div>
        <p className={styles.limits}>{texts.pasteCells}</p>
        <p className={`muted ${styles.limits}`}>
          {uploadLimits()} {texts.separatedBy}
        </p>
        <input
          ref={input}
          type="file"
          hidden
          aria-label={texts.sheet}
          accept=".xlsx,.xlsm,.jsonl,.ndjson,.csv,.tsv,.tab,.txt,text/csv,text/plain"
          onChange={onChange}
        />
      </div>
      {shown && <Notice tone="error">{shown}</Notice>}
      <StorageHint />
      <Disclosure title={texts.pasteText}>
        <PasteForm onPaste={({ file, name }) => send(file, name)} />
      </Disclosure>
    </div>
  );
}

/** Leads to the list of sheets, and warns before an upload would be refused. */
function StorageHint() {
  const { data } = useQuery(queryOf(listFiles, { start: 0, limit: 1 }));
  return (
    <>
      {data && <StorageNotice storage={data.storage} />}
      <p className="row">
        <Link to={paths.sheets}>{manageSheets}</Link>
      </p>
    </>
  );
}

function PasteForm({ onPaste }: { onPaste: (pasted: Pasted) => void }) {
  const [problem, setProblem] = useState<string>();
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('text') ?? '');
    const problem = problemOf(text);
    setProblem(problem ?? undefined);
    if (!problem) onPaste(pastedFile(text));
  }
  return (
    <form className="stack" onSubmit={onSubmit} onChange={() => setProblem(undefined)} noValidate>
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
          {texts.useText}
        </Button>
      </div>
    </form>
  );
}
