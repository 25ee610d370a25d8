import { Copy } from 'lucide-react';
import { copyText } from '../../lib/copy-text.ts';
import * as texts from '../../texts/batches/batch.ts';
import { Button } from '../../ui/button.tsx';

export function CopyAnswer({ answer }: { answer: string }) {
  return (
    <Button variant="secondary" onClick={() => void copyText(answer, texts.answerCopied)}>
      <Copy aria-hidden size={18} />
      {texts.copyAnswer}
    </Button>
  );
}
