import { saveVariable } from '@rowmill/contract';
import { useState } from 'react';
import { call } from '../../../lib/api/api-client.ts';
import { useSubmit } from '../../../lib/hooks/use-submit.ts';
import { showToast } from '../../../lib/toasts.ts';
import * as texts from '../../../texts/ask.ts';
import { Button } from '../../../ui/button.tsx';
import { TextArea } from '../../../ui/form/text-area.tsx';
import { TextField } from '../../../ui/form/text-field.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { SavedVariable } from '../api.ts';

interface Props {
  /** The variable to edit, or null to add one. */
  variable: SavedVariable | null;
  onSaved: () => Promise<void>;
  onCancel: () => void;
}

/** The fields of this form are those of the variable inside the request. */
const endpoint = { ...saveVariable, request: saveVariable.request.shape.variable };

export function VariableForm({ variable, onSaved, onCancel }: Props) {
  const [savedCount, setSavedCount] = useState(0);
  const [emptyText, setEmptyText] = useState<string>();
  const { onSubmit, problems, error, busy } = useSubmit({
    endpoint,
    send: async ({ name = '', value = '' }) => {
      setEmptyText(value.trim() ? undefined : texts.enterText);
      if (!value.trim()) return;
      await call(saveVariable, { variable: { name, value } });
      showToast('success', texts.variableSaved(name.trim()));
      setSavedCount(savedCount + 1);
      await onSaved();
    },
  });
  return (
    <form key={savedCount} className="stack" onSubmit={onSubmit} noValidate>
      <h3>{variable ? texts.editVariable(variable.name) : texts.addVariable}</h3>
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
        problem={problems.value ?? emptyText}
      />
      <div className="row">
        <Button type="submit" variant="secondary" busy={busy}>
          {texts.save}
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
