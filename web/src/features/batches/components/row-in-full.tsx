import * as texts from '../../../texts/batches.ts';
import { answerParts } from '../answer-parts.ts';
import type { Row } from '../api.ts';
import { RowState } from './row-state.tsx';

interface Props {
  row: Row;
  columns: readonly string[];
  outputs: readonly string[];
}

/** What the sheet holds in this row, what was asked, and what came of it. */
export function RowInFull({ row, columns, outputs }: Props) {
  const parts = row.answer === null ? null : answerParts(row.answer, outputs);
  return (
    <div className="stack">
      <RowState state={row.state} />
      {row.problem && <p className="notice error">{row.problem}</p>}
      {parts && <Fields title={texts.answer} fields={parts} />}
      {row.answer !== null && !parts && <Text title={texts.answer} text={row.answer} />}
      <Text title={texts.prompt} text={row.prompt} />
      <Fields
        title={texts.cells}
        fields={row.cells.map((value, index) => ({
          name: columns[index] ?? texts.columnNumber(index + 1),
          value,
        }))}
      />
    </div>
  );
}

function Text({ title, text }: { title: string; text: string }) {
  return (
    <div className="stack">
      <h3 className="batch-label">{title}</h3>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="batch-text" tabIndex={0} aria-label={title}>
        {text}
      </section>
    </div>
  );
}

function Fields({
  title,
  fields,
}: {
  title: string;
  fields: readonly { name: string; value: string }[];
}) {
  return (
    <div className="stack">
      <h3 className="batch-label">{title}</h3>
      <dl className="batch-facts">
        {fields.map(({ name, value }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns keep their order and may share a name
          <div key={index}>
            <dt>{name}</dt>
            <dd>{value || <span className="soft">{texts.empty}</span>}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
