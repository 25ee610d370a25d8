import { Button } from '../../../ui/button.tsx';
import type { KeptVariable } from '../api.ts';

interface Props {
  variables: readonly KeptVariable[];
  columns: readonly string[];
  onEdit: (variable: KeptVariable) => void;
  onRemove: (name: string) => void;
}

export function VariableList({ variables, columns, onEdit, onRemove }: Props) {
  if (variables.length === 0) {
    return <p className="soft">None yet. Keep a text here, such as a tone of voice, and use it in every question by its name.</p>;
  }
  return (
    <ul className="plain stack">
      {variables.map((variable) => (
        <li key={variable.name} className="ask-variable">
          <span className="ask-name">
            <strong>{variable.name}</strong>
            {columns.includes(variable.name) && <span className="soft"> (the column of this name goes first)</span>}
            <span className="ask-clip soft">{variable.value}</span>
          </span>
          <span className="row">
            <Button variant="ghost" aria-label={`Edit ${variable.name}`} onClick={() => onEdit(variable)}>
              Edit
            </Button>
            <Button variant="ghost" aria-label={`Remove ${variable.name}`} onClick={() => onRemove(variable.name)}>
              Remove
            </Button>
          </span>
        </li>
      ))}
    </ul>
  );
}
