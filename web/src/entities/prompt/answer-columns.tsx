import { type AnswerType, answerTypes, maximumOutputs, needsOptions } from '@rowmill/contract';
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import * as texts from '../../texts/prompt/answer-columns.ts';
import { Button, IconButton, isRepeated } from '../../ui/button.tsx';
import { ChoiceField } from '../../ui/form/choice-field.tsx';
import { FieldNote } from '../../ui/form/field.tsx';
import { TextArea } from '../../ui/form/text-area.tsx';
import { TextField } from '../../ui/form/text-field.tsx';
import styles from './answer-columns.module.css';
import { type ColumnDraft, emptyColumn, type OptionProblems } from './options.ts';

interface Props {
  /** None for an answer in one text. */
  columns: readonly ColumnDraft[];
  problems: OptionProblems;
  onChange: (columns: ColumnDraft[]) => void;
}

const forms = [
  ['text', texts.oneText],
  ['columns', texts.columns],
] as const;

/** Chooses between one text and columns with types, and edits these. */
export function AnswerColumns({ columns, problems, onChange }: Props) {
  const editor = useRef<HTMLDivElement>(null);
  const [earlier, setEarlier] = useState([emptyColumn]);
  const focusSoon = (index: number, selector: string) =>
    requestAnimationFrame(() =>
      editor.current
        ?.querySelectorAll('fieldset')
        [index]?.querySelector<HTMLElement>(selector)
        ?.focus(),
    );

  function chooseForm(form: string) {
    if (form === 'text') setEarlier([...columns]);
    onChange(form === 'text' ? [] : earlier);
  }
  function move(index: number, by: -1 | 1) {
    const moved = [...columns];
    moved.splice(index + by, 0, ...moved.splice(index, 1));
    onChange(moved);
    focusSoon(index + by, by < 0 ? '[data-move="up"] button' : '[data-move="down"] button');
  }
  function remove(index: number) {
    onChange(columns.filter((_, at) => at !== index));
    focusSoon(Math.max(0, index - 1), 'input');
  }
  function add() {
    onChange([...columns, emptyColumn]);
    focusSoon(columns.length, 'input');
  }
  return (
    <div className="stack" ref={editor}>
      <ChoiceField
        label={texts.answerAs}
        name="answer-as"
        choices={forms}
        value={columns.length > 0 ? 'columns' : 'text'}
        onChange={({ target }) => chooseForm(target.value)}
      />
      {columns.map((column, index) => (
        <ColumnFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a column is known by its place
          key={index}
          index={index}
          column={column}
          problems={problems}
          isLast={index === columns.length - 1}
          onChange={(part) =>
            onChange(columns.map((other, at) => (at === index ? { ...other, ...part } : other)))
          }
          onMove={(by) => move(index, by)}
          onRemove={() => remove(index)}
        />
      ))}
      {columns.length > 0 && (
        <>
          <FieldNote problem={problems.columns} role="status" />
          <div>
            <Button variant="secondary" disabled={columns.length >= maximumOutputs} onClick={add}>
              {texts.addColumn}
            </Button>
          </div>
        </>
      )}
    </div>
  );
}

interface ColumnProps {
  index: number;
  column: ColumnDraft;
  problems: OptionProblems;
  isLast: boolean;
  onChange: (part: Partial<ColumnDraft>) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function ColumnFields(props: ColumnProps) {
  const { index, column, problems, isLast, onChange, onMove, onRemove } = props;
  const field = (name: string) => ({
    name: `columns.${index}.${name}`,
    problem: problems[`columns.${index}.${name}`],
  });
  const number = index + 1;
  // A list that was just chosen is still empty: its hint says how to fill it.
  const [wasListLeft, setListLeft] = useState(false);
  const showsListProblem = wasListLeft || column.options.trim() !== '';
  return (
    <fieldset className={styles.column}>
      <legend>{texts.columnNumber(number)}</legend>
      <div className={styles.pair}>
        <TextField
          {...field('name')}
          label={texts.columnName}
          value={column.name}
          onChange={({ target }) => onChange({ name: target.value })}
        />
        <ChoiceField
          {...field('type')}
          label={texts.columnType}
          choices={answerTypes.map((type) => [type, texts.answerTypes[type]])}
          value={column.type}
          onChange={({ target }) => onChange({ type: target.value as AnswerType })}
        />
      </div>
      {needsOptions(column.type) && (
        <TextArea
          {...field('options')}
          {...(!showsListProblem && { problem: undefined })}
          onBlur={() => setListLeft(true)}
          label={texts.columnOptions}
          hint={texts.columnOptionsHint}
          rows={3}
          value={column.options}
          onChange={({ target }) => onChange({ options: target.value })}
        />
      )}
      <TextField
        {...field('description')}
        label={texts.columnDescription}
        value={column.description}
        onChange={({ target }) => onChange({ description: target.value })}
      />
      <div className="spread">
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={column.mayBeEmpty}
            onChange={({ target }) => onChange({ mayBeEmpty: target.checked })}
          />
          {texts.mayBeEmpty}
        </label>
        <div className="row">
          <span data-move="up">
            <IconButton
              label={texts.moveColumnUp(number)}
              icon={ArrowUp}
              isDisabled={index === 0}
              onPress={() => onMove(-1)}
            />
          </span>
          <span data-move="down">
            <IconButton
              label={texts.moveColumnDown(number)}
              icon={ArrowDown}
              isDisabled={isLast}
              onPress={() => onMove(1)}
            />
          </span>
          <IconButton
            label={texts.removeColumn(number)}
            icon={Trash2}
            onPress={(event) => isRepeated(event) || onRemove()}
          />
        </div>
      </div>
    </fieldset>
  );
}
