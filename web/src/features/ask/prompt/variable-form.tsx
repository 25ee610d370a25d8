import { saveVariable } from '@rowmill/contract';
import { useState } from 'react';
import { call } from '../../../lib/api-client.ts';
import { showToast } from '../../../lib/toasts.ts';
import { useSubmit } from '../../../lib/use-submit.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { TextArea } from '../../../ui/text-area.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import type { KeptVariable } from '../api.ts';

interface Props {
  /** The one that is changed, or null for a new one. */
  variable: KeptVariable | null;
  onSaved: () => Promise<void>;
  onCancel: () => void;
}

/** The fields are those of the variable itself, so its own rules judge them. */
const endpoint = { ...saveVariable, request: saveVariable.request.shape.variable };

export function VariableForm({ variable, onSaved, onCancel }: Props) {
  const [times, setTimes] = useState(0);
  const [empty, setEmpty] = useState<string>();
  const { onSubmit, problems, error, busy } = useSubmit({
    endpoint,
    send: async ({ name = '', value = '' }) => {
      setEmpty(value.trim() ? undefined : texts.fillIn);
      if (!value.trim()) return;
      await call(saveVariable, { variable: { name, value } });
      showToast('success', texts.isKept(name.trim()));
      setTimes(times + 1);
      await onSaved();
    },
  });
  return (
    <form key={times} className="stack" onSubmit={onSubmit} noValidate>
      <h3>{variable ? texts.changeNamed(variable.name) : texts.keepNew}</h3>
      {error && <Notice tone="error">{error}</Notice>}
      {variable ? (
        <input type="hidden" name="name" value={variable.name} />
      ) : (
        <TextField
          label={texts.variableName}
          name="name"
          autoComplete="off"
          problem={problems.name}
        />
      )}
      <TextArea
        label={texts.variableText}
        name="value"
        defaultValue={variable?.value ?? ''}
        problem={problems.value ?? empty}
      />
      <div className="row">
        <Button type="submit" variant="secondary" busy={busy}>
          {texts.keepIt}
        </Button>
        {variable && (
          <Button variant="ghost" onClick={onCancel}>
            {texts.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}
