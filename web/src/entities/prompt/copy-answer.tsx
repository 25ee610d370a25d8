import { Copy } from 'lucide-react';
import { copyText } from '../../lib/copy-text.ts';
import { showToast } from '../../lib/toasts.ts';
import * as texts from '../../texts/batches.ts';
import { Button } from '../../ui/button.tsx';

export function CopyAnswer({ answer }: { answer: string }) {
  async function copy() {
    await copyText(answer);
    showToast('success', texts.answerCopied);
  }
  return (
    <Button variant="secondary" onClick={() => void copy()}>
      <Copy aria-hidden size={18} />
      {texts.copyAnswer}
    </Button>
  );
}
