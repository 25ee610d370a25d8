import { type Batch, changeBatchOptions, playOrPause, retryFailed } from '@rowmill/contract';
import { useState } from 'react';
import { AnswerColumns } from '../../../entities/prompt/answer-columns.tsx';
import { ModelSelect } from '../../../entities/prompt/model-select.tsx';
import { OptionFields } from '../../../entities/prompt/option-fields.tsx';
import { optionsOf, type PromptOptions, parseOptions } from '../../../entities/prompt/options.ts';
import { InvalidFields, useForm } from '../../../lib/hooks/use-form.ts';
import * as texts from '../../../texts/batches/batch.ts';
import { FormDialog } from '../../../ui/form/form-dialog.tsx';
import { applyEvent } from '../live-progress.ts';

interface Props {
  batch: Batch;
  onClose: () => void;
}

/** Changes the options of a batch, then resumes it or retries its failed rows. */
export function ChangeOptions({ batch, onClose }: Props) {
  const { id, state, answered } = batch;
  const [options, setOptions] = useState(() => optionsOf(batch));
  const change = (part: Partial<PromptOptions>) => setOptions({ ...options, ...part });
  const form = useForm(async (_values, send) => {
    const { query, problems } = parseOptions(options);
    if (Object.keys(problems).length > 0) throw new InvalidFields(problems);
    applyBatch(await send(changeBatchOptions, { id, ...query }));
    applyBatch(
      state === 'paused'
        ? await send(playOrPause, { id, status: 'play' })
        : await send(retryFailed, { id }),
    );
    onClose();
    return texts.optionsChanged;
  });
  const { problems } = form;
  return (
    <FormDialog
      title={texts.changeOptions}
      note={texts.changeOptionsNote}
      size="large"
      form={form}
      submit={state === 'paused' ? texts.saveAndResume : texts.saveAndRetry}
      onClose={onClose}
    >
      <ModelSelect
        value={options.model}
        onChange={(model) => change({ model })}
        problem={problems.model}
      />
      {/* The answer columns can change only while no row is answered in them. */}
      {answered === 0 && (
        <AnswerColumns
          columns={options.columns}
          problems={problems}
          onChange={(columns) => change({ columns })}
        />
      )}
      <OptionFields options={options} problems={problems} onChange={change} />
    </FormDialog>
  );
}

function applyBatch({ batch }: { batch: Batch }): void {
  applyEvent({ kind: 'batch', batch });
}
