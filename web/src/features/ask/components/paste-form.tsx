import { type FormEvent, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from './text-area.tsx';

export function PasteForm({ onText }: { onText: (text: string) => void }) {
  const [problem, setProblem] = useState<string>();
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('text') ?? '');
    setProblem(text.trim() ? undefined : 'Paste some rows first.');
    if (text.trim()) onText(text);
  }
  return (
    <form className="stack" onSubmit={onSubmit} noValidate>
      <TextArea
        label="Rows"
        name="text"
        rows={6}
        spellCheck={false}
        problem={problem}
        hint="The first line names the columns. Cells copied from a spreadsheet are fine."
      />
      <div>
        <Button type="submit" variant="secondary">
          Use this text
        </Button>
      </div>
    </form>
  );
}
