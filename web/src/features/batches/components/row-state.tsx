import { CircleCheck, CircleDashed, CircleX } from 'lucide-react';
import type { Row } from '../api.ts';

const faces = {
  waiting: { words: 'Waiting', icon: CircleDashed },
  answered: { words: 'Answered', icon: CircleCheck },
  failed: { words: 'Failed', icon: CircleX },
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
