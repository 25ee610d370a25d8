import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import * as texts from '../../../texts/batches.ts';
import type { Row } from '../api.ts';

const faces = {
  waiting: { words: texts.notRun, icon: CircleDashed },
  answered: { words: texts.answered, icon: CircleCheck },
  failed: { words: texts.failed, icon: CircleX },
} as const;

export function RowState({ state }: Pick<Row, 'state'>) {
  const { words, icon: Icon } = faces[state];
  return (
    <span className="rows-state" data-state={state}>
      <Icon aria-hidden size={16} />
      <span>{words}</span>
    </span>
  );
}
