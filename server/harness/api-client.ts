import {
  type AnswerOf,
  type Batch,
  type EndpointName,
  endpoints,
  type RequestOf,
} from '@rowmill/contract';

type StartQuery = RequestOf<typeof endpoints.askChatGpt>['query'];

/** Calls the product as the browser does. */
export class ApiClient {
  readonly #url: string;
  #token: string;

  constructor(url: string, token = '') {
    this.#url = url;
    this.#token = token;
  }

  async signIn(email: string): Promise<AnswerOf<typeof endpoints.login>['user']> {
    const { user, user_token } = await this.call('login', { email, password: 'rowmill-demo' });
    this.#token = user_token;
    return user;
  }

  async call<N extends EndpointName>(
    name: N,
    request: RequestOf<(typeof endpoints)[N]>,
  ): Promise<AnswerOf<(typeof endpoints)[N]>> {
    const response = await this.#post(endpoints[name].path, request);
    const body = (await response.json()) as { message?: string };
    if (!response.ok) throw new Error(`${name}: ${response.status} ${body.message}`);
    return body as AnswerOf<(typeof endpoints)[N]>;
  }

  get token(): string {
    return this.#token;
  }

  /** The status of a call; 0 when the connection broke. */
  async status<N extends EndpointName>(
    name: N,
    request: RequestOf<(typeof endpoints)[N]>,
  ): Promise<number> {
    try {
      const response = await this.#post(endpoints[name].path, request);
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  async upload(content: Blob): Promise<string> {
    const response = await this.send(content);
    const answer = (await response.json()) as AnswerOf<typeof endpoints.saveFile> & {
      message?: string;
    };
    if (!response.ok) throw new Error(`saveFile: ${answer.message}`);
    return answer.file.id;
  }

  /** Without `hasLength` the upload is chunked. */
  async send(content: Blob, { hasLength = true } = {}): Promise<Response> {
    const form = new FormData();
    form.append('file', content, content instanceof File ? content.name : 'bench.csv');
    const { body, headers } = new Response(form);
    const type = { 'content-type': headers.get('content-type') ?? '' };
    const request = hasLength
      ? { headers: this.#authorization(), body: form }
      : { headers: { ...this.#authorization(), ...type }, body, duplex: 'half' as const };
    return fetch(this.#url + endpoints.saveFile.path, { method: 'POST', ...request });
  }

  async download(id: string, format: 'csv' | 'xlsx' = 'csv'): Promise<Response> {
    return this.#post(endpoints.downloadChatGptResponse.path, { file: id, format });
  }

  /** Reads the export of everything that the person has stored, and returns its length. */
  async exportedBytes(): Promise<number> {
    const { body } = await this.#post(endpoints.exportUserData.path, {});
    let bytes = 0;
    for await (const part of body ?? []) bytes += part.length;
    return bytes;
  }

  /** Opens a stream that the server keeps open. */
  async open(path: string): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const { body } = await fetch(this.#url + path, { headers: this.#authorization() });
    if (!body) throw new Error(`${path} has no body.`);
    return body as ReadableStream<Uint8Array<ArrayBuffer>>;
  }

  /** Starts a batch over an uploaded sheet and returns its id. */
  async start(file: string, questionWithVariable: string, more: StartQuery = {}): Promise<string> {
    const query = { ...more, file, start: true };
    const { batch } = await this.call('askChatGpt', { questionWithVariable, query });
    return batch?.id ?? '';
  }

  async whenEnded(id: string, everyMilliseconds = 25): Promise<Batch> {
    for (;;) {
      const { batch } = await this.call('getBatch', { id });
      if (batch.ended_at && batch.held === 0) return batch;
      await new Promise((resolve) => setTimeout(resolve, everyMilliseconds));
    }
  }

  /** CPU time of all threads of the server. */
  async cpuSeconds(): Promise<number> {
    return this.metric('process_cpu_seconds_total');
  }

  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.#url}/metrics`)).text();
    return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  }

  #post(path: string, request: object): Promise<Response> {
    return fetch(this.#url + path, {
      method: 'POST',
      headers: { ...this.#authorization(), 'content-type': 'application/json' },
      body: JSON.stringify(request),
    });
  }

  #authorization(): Record<string, string> {
    return this.#token ? { authorization: `Bearer ${this.#token}` } : {};
  }
}

/** Signs in one of the demo people. */
export async function signInDemo(url: string, name = 'client'): Promise<ApiClient> {
  const client = new ApiClient(url);
  await client.signIn(`${name}@demo.test`);
  return client;
}

/** Uploads a sheet of this many rows and starts a batch over it. */
export async function startBatch(client: ApiClient, rows: number): Promise<string> {
  return client.start(await client.upload(sheetOf(rows)), 'Say {{Row}}');
}

export function sheetOf(rows: number): Blob {
  const lines = Array.from({ length: rows }, (_, index) => `row ${index}`);
  return new Blob([`Row\n${lines.join('\n')}\n`]);
}
