import { type AnswerColumn, asColumn, describeType, type Output } from '@rowmill/contract';

/** The form of the answer as `response_format` describes it. */
export function responseFormat(outputs: readonly Output[]): object {
  const schema = answerSchema(outputs);
  return { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } };
}

/** Strict: each key is required, and an empty value is null. */
export function answerSchema(outputs: readonly Output[]): object {
  const columns = outputs.map(asColumn);
  return {
    type: 'object',
    properties: Object.fromEntries(columns.map((column) => [column.name, schemaOf(column)])),
    required: columns.map(({ name }) => name),
    additionalProperties: false,
  };
}

function schemaOf(column: AnswerColumn): object {
  const { type, description, options = [], may_be_empty: mayBeEmpty = false } = column;
  // An empty text needs no null.
  const isNullable = mayBeEmpty && type !== 'text';
  const typed = (name: string) => (isNullable ? [name, 'null'] : name);
  const listed = { type: 'string', enum: options };
  const schemas = {
    text: { type: 'string' },
    integer: { type: typed('integer') },
    number: { type: typed('number') },
    boolean: { type: typed('boolean') },
    choice: { type: typed('string'), enum: isNullable ? [...options, null] : options },
    choices: { type: typed('array'), items: listed },
    date: { type: typed('string') },
  } as const satisfies Record<AnswerColumn['type'], object>;
  const hint = [description, type === 'date' ? 'As YYYY-MM-DD.' : ''].filter(Boolean).join(' ');
  return { ...schemas[type], ...(hint ? { description: hint } : {}) };
}

/** The same in words, for a model that does not keep to `response_format`. */
export function formatInWords(outputs: readonly Output[]): string {
  const lines = outputs.map((output) => {
    const { name, description, ...column } = asColumn(output);
    const empty = column.may_be_empty ? ', or null if there is none' : '';
    const meaning = description ? `. ${description}` : '';
    return `- ${JSON.stringify(name)}: ${describeType({ name, ...column })}${empty}${meaning}`;
  });
  return `Answer with one JSON object and nothing else. It has exactly these keys:\n${lines.join('\n')}`;
}

/** Asks once more, for an answer without what was wrong with the first. */
export function correctionFor(problem: string, outputs: readonly Output[]): string {
  return `That answer cannot be used: ${problem}\n${formatInWords(outputs)}`;
}
