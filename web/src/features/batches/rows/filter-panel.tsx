import {
  countedCharacters,
  maximumCountedValues,
  type RowCondition,
  type RowSort,
  rowTests,
} from '@rowmill/contract';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ToggleEvent, useEffect, useRef, useState } from 'react';
import { formatNumber } from '../../../lib/format.ts';
import * as texts from '../../../texts/batches/batch.ts';
import * as rowTexts from '../../../texts/batches/rows.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/form/choice-field.tsx';
import { FilterButtons } from '../../../ui/form/filter-buttons.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import type { GridColumn } from '../../../ui/grid/grid-layout.ts';
import { Loading } from '../../../ui/loading.tsx';
import { type Row, type RowView, valuesQuery } from '../api.ts';
import styles from './filter-panel.module.css';
import { rowStateName } from './row-state.tsx';
import { ordersFor, withCondition } from './row-view.ts';

interface Props {
  view: RowView;
  columns: readonly GridColumn<Row>[];
  /** The column to begin with, and the button that was pressed. */
  column: string;
  anchor: HTMLElement;
  conditions: readonly RowCondition[];
  sort: RowSort | null;
  onConditions: (conditions: RowCondition[]) => void;
  onSort: (sort: string) => void;
  onClose: () => void;
}

/** Sorts and filters by a column: by its values with their counts, or by a text. */
export function FilterPanel(props: Props) {
  const { view, columns, anchor, conditions, sort, onConditions, onSort, onClose } = props;
  const [column, setColumn] = useState(props.column);
  const panel = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = panel.current;
    if (!element) return;
    const below = anchor.getBoundingClientRect();
    place(below, element);
    element.showPopover();
    // Its height follows the column and the values, which come later.
    const observer = new ResizeObserver(() => place(below, element));
    for (const part of element.children) observer.observe(part);
    element.querySelector('select')?.focus({ preventScroll: true });
    const close = () => element.hidePopover();
    // The position is computed for this page width.
    window.addEventListener('resize', close);
    return () => {
      observer.disconnect();
      window.removeEventListener('resize', close);
    };
  }, [anchor]);
  function onToggle({ newState }: ToggleEvent) {
    if (newState === 'closed') onClose();
  }
  function apply(condition: RowCondition | null) {
    onConditions(withCondition(conditions, { column, condition }));
    panel.current?.hidePopover();
  }
  const current = conditions.find((condition) => condition.column === column);
  return (
    <div
      ref={panel}
      className={styles.panel}
      popover="auto"
      role="dialog"
      aria-label={rowTexts.filter}
      onToggle={onToggle}
    >
      <ChoiceField
        label={rowTexts.column}
        value={column}
        onChange={({ target }) => setColumn(target.value)}
        choices={columns.map(({ id, label }) => [id, label])}
      />
      <FilterButtons
        label={rowTexts.sort}
        filters={ordersFor(columns.find(({ id }) => id === column))}
        chosen={sort?.column === column ? (sort.order ?? null) : null}
        onChoose={(order) => {
          const chosen = `${column} ${order}`;
          onSort(sort && chosen === `${sort.column} ${sort.order}` ? '' : chosen);
          panel.current?.hidePopover();
        }}
      />
      <Values view={view} column={column} current={current} onApply={apply} />
      <TextCondition
        key={column}
        column={column}
        current={current}
        onApply={apply}
        onRemove={() => apply(null)}
      />
    </div>
  );
}

const panelWidth = 300;
const edge = 8;

/** Below the button, as far as the window has room. */
function place({ left, bottom }: DOMRect, panel: HTMLElement): void {
  const { style } = panel;
  const { clientWidth, clientHeight } = document.documentElement;
  const height = panel.scrollHeight + panel.offsetHeight - panel.clientHeight;
  const most = { left: clientWidth - panelWidth - edge, top: clientHeight - height - edge };
  style.setProperty('--left', `${Math.max(edge, Math.min(left, most.left))}px`);
  style.setProperty('--top', `${Math.max(edge, Math.min(bottom + 4, most.top))}px`);
}

interface ConditionProps {
  column: string;
  current: RowCondition | undefined;
  onApply: (condition: RowCondition) => void;
}

function TextCondition(props: ConditionProps & { onRemove: () => void }) {
  const { column, current, onApply, onRemove } = props;
  const [is, setIs] = useState<RowCondition['is']>(current?.is ?? 'contains');
  const [problem, setProblem] = useState<string>();
  const takesText = is === 'contains' || is === 'equals';
  function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const value = String(new FormData(event.currentTarget).get('value') ?? '').trim();
    if (takesText && !value) return setProblem(rowTexts.enterText);
    onApply({ column, is, value: takesText ? value : '' });
  }
  return (
    <form
      className={styles.form}
      onSubmit={onSubmit}
      onChange={() => setProblem(undefined)}
      noValidate
    >
      <ChoiceField
        label={rowTexts.test}
        value={is}
        onChange={({ target }) => setIs(target.value as RowCondition['is'])}
        choices={rowTests.map((test) => [test, rowTexts.tests[test]])}
      />
      {takesText && (
        <TextField
          label={rowTexts.text}
          name="value"
          maxLength={500}
          defaultValue={current?.value ?? ''}
          problem={problem}
          hint={is === 'contains' ? rowTexts.searchedStart : undefined}
        />
      )}
      <div className="row">
        <Button type="submit">{rowTexts.applyFilter}</Button>
        {current && (
          <Button variant="ghost" onClick={onRemove}>
            {rowTexts.clearFilter}
          </Button>
        )}
      </div>
    </form>
  );
}

/** Counted values are cut here, and a condition compares one whole line. */
const canBeCompared = (value: string) =>
  value.length < countedCharacters && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value);

function Values({ view, column, current, onApply }: ConditionProps & { view: RowView }) {
  const query = useQuery(valuesQuery(view, column));
  return (
    <section className={styles.values} aria-label={rowTexts.values}>
      <p>{rowTexts.values}</p>
      <Loading query={query}>
        {(values) =>
          values === null ? (
            <p className="muted">{rowTexts.tooManyValues(maximumCountedValues)}</p>
          ) : values.length === 0 ? (
            <p className="muted">{texts.noRowsMatch}</p>
          ) : (
            <ul className="plain">
              {values.map(({ value, rows }) => (
                <li key={value}>
                  <button
                    type="button"
                    aria-pressed={isChosen(current, value)}
                    disabled={!canBeCompared(value)}
                    onClick={() =>
                      onApply({ column, is: value === '' ? 'empty' : 'equals', value })
                    }
                  >
                    <span className="cut" title={value}>
                      {valueName(column, { value, view })}
                    </span>
                    <span className="muted">{formatNumber(rows)}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }
      </Loading>
    </section>
  );
}

function isChosen(current: RowCondition | undefined, value: string): boolean {
  if (value === '') return current?.is === 'empty';
  return current?.is === 'equals' && current.value === value;
}

function valueName(column: string, { value, view }: { value: string; view: RowView }): string {
  if (value === '') return texts.empty;
  return column === 'state' ? rowStateName(value as Row['state'], view.isEnded) : value;
}
