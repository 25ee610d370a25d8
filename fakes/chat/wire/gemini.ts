import { isRecord, type JsonRecord, type Wire } from './wire.ts';

const path = /^\/v1beta\/models\/([^/:]+):generateContent$/;
const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
};
const finishReasons: Readonly<Record<string, string>> = {
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};

const knownFields = [
  'temperature',
  'topP',
  'stopSequences',
  'seed',
  'maxOutputTokens',
  'thinkingConfig',
  'responseMimeType',
  'responseJsonSchema',
];

interface Content {
  role: string;
  parts: { text: string }[];
}

/** Gemini’s generateContent. */
export const geminiWire: Wire = {
  matches: (asked) => path.test(asked),
  namesTimeInBody: true,
  key: ({ 'x-goog-api-key': key }) => (typeof key === 'string' ? key : undefined),
  request(json, { path: asked }) {
    const {
      contents,
      systemInstruction,
      generationConfig = {},
    } = json as {
      contents: Content[];
      systemInstruction?: { parts: { text: string }[] };
      generationConfig?: JsonRecord;
    };
    const { responseJsonSchema: schema, responseMimeType, thinkingConfig } = generationConfig;
    const extra = Object.keys(generationConfig).find((name) => !knownFields.includes(name));
    if (extra) throw new Error(`Invalid JSON payload received. Unknown name "${extra}"`);
    if (schema !== undefined && responseMimeType !== 'application/json')
      throw new Error('responseJsonSchema needs responseMimeType application/json');
    return {
      model: decodeURIComponent(path.exec(asked)?.[1] ?? ''),
      messages: [
        ...(systemInstruction ? [{ role: 'system', content: textOf(systemInstruction) }] : []),
        ...contents.map((content) => ({
          role: content.role === 'model' ? 'assistant' : 'user',
          content: textOf(content),
        })),
      ],
      temperature: generationConfig.temperature,
      top_p: generationConfig.topP,
      stop: generationConfig.stopSequences,
      seed: generationConfig.seed,
      max_tokens: generationConfig.maxOutputTokens,
      reasoning_effort: isRecord(thinkingConfig)
        ? (thinkingConfig.thinkingLevel ?? thinkingConfig.thinkingBudget)
        : undefined,
      ...(schema !== undefined && { response_format: { json_schema: { schema } } }),
    };
  },
  answer({ model, choices: [{ message, finish_reason }], usage }) {
    const text = message.content ?? '';
    const isBlocked = message.refusal !== undefined;
    const { reasoning_tokens: thoughts } = usage.completion_tokens_details;
    return {
      ...(isBlocked
        ? { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }
        : {
            candidates: [
              {
                content: { role: 'model', parts: text === '' ? [] : [{ text }] },
                finishReason: finishReasons[finish_reason] ?? 'STOP',
                index: 0,
              },
            ],
          }),
      usageMetadata: {
        promptTokenCount: usage.prompt_tokens,
        cachedContentTokenCount: usage.prompt_tokens_details.cached_tokens,
        totalTokenCount: usage.prompt_tokens + (isBlocked ? 0 : usage.completion_tokens),
        ...(!isBlocked && {
          candidatesTokenCount: usage.completion_tokens - thoughts,
          thoughtsTokenCount: thoughts,
        }),
      },
      modelVersion: model,
    };
  },
  failure: (code, { message }) => ({
    error: {
      code,
      message,
      status: statuses[code] ?? 'UNKNOWN',
      ...(code === 429 && {
        details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '7s' }],
      }),
    },
  }),
};

const textOf = ({ parts }: { parts: { text: string }[] }) => parts.map(({ text }) => text).join('');
