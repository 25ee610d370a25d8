import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type ChangeDraft, type Draft, withUndone } from '../draft.ts';

interface Props {
  /** The text beside this notice. */
  field: 'prompt' | 'question';
  draft: Draft;
  changeDraft: ChangeDraft;
}

/** Brings back what an earlier prompt took the place of. */
export function PromptReplaced({ field, draft: { replaced }, changeDraft }: Props) {
  if (replaced?.[field] === undefined) return null;
  return (
    <Notice>
      <p>{texts.promptReplaced}</p>
      <Button variant="ghost" onClick={() => changeDraft(withUndone)}>
        {texts.undo}
      </Button>
    </Notice>
  );
}
