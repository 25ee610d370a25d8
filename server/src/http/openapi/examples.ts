import type {
  AnswerOf,
  Batch,
  EndpointName,
  endpoints,
  Output,
  RequestOf,
  Sheet,
} from '@rowmill/contract';

type Examples = {
  [N in EndpointName]?: {
    request?: RequestOf<(typeof endpoints)[N]>;
    answer?: AnswerOf<(typeof endpoints)[N]>;
  };
};

const personId = '0199b2c3-41d0-7d52-8b06-2c8f5a9e1b33';
const sheetId = '0199b2c4-0f6e-7c3a-9a51-6f2d1f0a7e10';
const batchId = '0199b2c5-5d21-7b0e-8c7f-3b9a2e4d6c21';

const sheet: Sheet = {
  id: sheetId,
  name: 'cities.csv',
  bytes: 48,
  columns: ['City', 'Country'],
  rows: 3,
  blank_rows: 0,
  dialect: {
    format: 'delimited',
    encoding: 'utf-8',
    delimiter: ',',
    header: true,
    worksheet: null,
    skip_rows: 0,
    header_rows: 1,
    comment: '',
    trim: false,
    quote: '"',
  },
  worksheets: [],
  is_sure: true,
  candidates: [],
  sample: [
    ['Douglas', 'Isle of Man'],
    ['Graz', 'Austria'],
    ['Lyon', 'France'],
  ],
  report: { problems: [], total: 0 },
  created_at: '2026-11-20T09:30:00.000Z',
};

/** A name alone is a text. An answer is stored only when each column has a value of its type. */
const answerColumns: Output[] = [
  'Language',
  { name: 'Speakers', type: 'integer', description: 'Nearest thousand', may_be_empty: true },
  { name: 'Script', type: 'choice', options: ['Latin', 'Greek', 'other'] },
];

const running: Batch = {
  id: batchId,
  user_id: personId,
  name: 'cities.csv',
  sheet_id: sheetId,
  state: 'running',
  pause_reason: null,
  pause_detail: null,
  rows: 3,
  answered: 1,
  failed: 0,
  skipped: 0,
  marked: 0,
  mark_counts: {
    empty: 0,
    refusal: 0,
    cut_off: 0,
    echo: 0,
    placeholder: 0,
    other_language: 0,
    off_list: 0,
    unusual_length: 0,
    nearly_identical: 0,
  },
  rows_per_minute: 60,
  covered: null,
  seconds_left: 2,
  held: 2,
  needed: 0,
  charged: 1,
  finish_by: null,
  price: 1,
  price_by_size: null,
  question: 'Which language do people speak in {{City}}?',
  model: 'demo',
  system: null,
  temperature: null,
  top_p: null,
  max_tokens: null,
  stop: null,
  seed: null,
  reasoning_effort: null,
  outputs: answerColumns,
  columns: ['City', 'Country'],
  actions: ['pause', 'stop', 'download'],
  started_by: null,
  created_at: '2026-11-20T09:31:00.000Z',
  started_at: '2026-11-20T09:31:00.000Z',
  ended_at: null,
  run_seconds: null,
  receipt: null,
  tokens: { input: 212, cached: 0, output: 9, reasoning: 0 },
  estimate: null,
  sheet_format: 'delimited',
  file_changes: null,
  judged: { right: 1, wrong: 0, later: 0 },
  judgement_version: 1,
};

const paused: Batch = {
  ...running,
  state: 'paused',
  pause_reason: 'person',
  rows_per_minute: null,
  seconds_left: null,
  actions: ['play', 'stop', 'download', 'changeOptions'],
};

/** A program's usual way: sign in, upload, quote, start, follow, download. A test checks each. */
const typed: Examples = {
  login: {
    request: { email: 'clara@example.com', password: 'plain straw 47 winter' },
    answer: {
      status: true,
      user: {
        id: '0199b2c0-1111-7a2b-8c3d-4e5f60718293',
        first_name: 'Clara',
        last_name: 'Quayle',
        phone: '',
        email: 'clara@example.com',
        email_verified_at: '2026-11-01T08:00:00.000Z',
        role_id: 1,
        profile_photo: null,
      },
      app_token: 'nR2…',
      user_token: 'q7K…',
    },
  },
  saveFile: { answer: { status: true, file: sheet } },
  askChatGpt: {
    request: {
      questionWithVariable: 'Which language do people speak in {{City}}?',
      query: { file: sheetId, start: true, outputs: answerColumns },
    },
    answer: { status: true, batch: running },
  },
  getBatch: { request: { id: batchId }, answer: { status: true, batch: running } },
  getProcessedFiles: {
    request: { start: 0, limit: 20, search: '', switchedAs: null },
    answer: {
      status: true,
      files: [running],
      total: 1,
      counts: { ready: 0, running: 1, paused: 0, stopped: 0, completed: 0 },
    },
  },
  getRows: {
    request: {
      id: batchId,
      filter: 'answered',
      conditions: [{ column: 'sheet 1', is: 'contains', value: 'isle' }],
      sort: { column: 'answer 0', order: 'ascending' },
      count: 'answer 0',
    },
    answer: {
      status: true,
      rows: [
        {
          row: 0,
          cells: ['Douglas', 'Isle of Man'],
          prompt: 'Which language do people speak in Douglas?',
          state: 'answered',
          answer: '{"Language":"English","Speakers":84000,"Script":"Latin"}',
          problem: null,
          judgement: 'right',
          note: null,
          correction: null,
          marks: [],
          earlier_problem: null,
          tokens: { input: 212, cached: 0, output: 9, reasoning: 0 },
          charge: 1,
          answered_by: 'gpt-5-mini at api.openai.com',
        },
      ],
      total: 1,
      values: [{ value: 'English', rows: 1 }],
    },
  },
  judgeAnswers: {
    request: { id: batchId, rows: [0], judgement: 'right', note: 'Manx is spoken too.' },
    answer: {
      status: true,
      batch: running,
      rows: [{ row: 0, judgement: 'right', note: 'Manx is spoken too.', correction: null }],
      message: 'Saved.',
    },
  },
  playOrPause: {
    request: { id: batchId, status: 'pause' },
    answer: {
      status: true,
      batch: paused,
      message: 'The batch is paused. Rows already sent will finish.',
    },
  },
  stopFileProcessing: { request: { id: batchId } },
  downloadChatGptResponse: { request: { file: batchId, format: 'csv' } },
  getAvailableCredits: { answer: { status: true, creditsAvailable: 1020, debt: 0 } },
  getUsage: {
    request: { days: ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'] },
    answer: { status: true, charged: [120, 35], answered: 155, failed: 4 },
  },
  saveVariable: {
    request: { variable: { name: 'tone', value: 'friendly' } },
    answer: {
      status: true,
      variable: { name: 'tone', value: 'friendly' },
      message: 'Saved “tone”.',
    },
  },
};

export const examples: Readonly<Record<string, { request?: unknown; answer?: unknown }>> = typed;
