import { type FormEvent, useState } from 'react';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/text-area.tsx';

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
