import type { AnswerOf, Endpoint } from '@rowmill/contract';
import * as texts from '../../texts/lib.ts';
import { storage } from '../storage.ts';
import { endExpiredSession, headersFor, newIdempotencyKey, urlOf } from './api-client.ts';
import { refusalOf } from './refusal.ts';

interface Upload {
  file: Blob;
  name: string;
  /** Other parts of the request; values that are not strings are sent as JSON. */
  fields?: Record<string, unknown>;
  /** Percent of the bytes sent. At 100 the server still reads the file. */
  onProgress(percent: number): void;
  signal: AbortSignal;
}

/** Sends a file as multipart and reports progress, which fetch cannot do. */
export async function upload<E extends Endpoint>(
  endpoint: E,
  { file, name, fields = {}, ...watch }: Upload,
): Promise<AnswerOf<E>> {
  const body = new FormData();
  const switchedAs = storage.read('switchedAs');
  for (const [key, value] of Object.entries({ ...fields, ...(switchedAs ? { switchedAs } : {}) })) {
    if (value !== undefined)
      body.append(key, typeof value === 'string' ? value : JSON.stringify(value));
  }
  // Last, so that the server knows the other parts before the file arrives.
  body.append('file', file, name);
  const token = storage.read('userToken');
  const outgoing = {
    url: urlOf(endpoint),
    headers: headersFor(newIdempotencyKey(), ''),
    body,
    ...watch,
  };
  const response = await send(outgoing);
  if (response.status === 401) endExpiredSession(token);
  const final = response.status === 401 ? await send(outgoing) : response;
  const answer = parse(final);
  if (final.status === 200) return answer as AnswerOf<E>;
  throw refusalOf(final.status, answer, final.getResponseHeader('retry-after'));
}

interface Outgoing extends Pick<Upload, 'onProgress' | 'signal'> {
  url: string;
  headers: Record<string, string>;
  body: FormData;
}

function send({ url, headers, body, onProgress, signal }: Outgoing): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) =>
      onProgress(total ? Math.round((loaded / total) * 100) : 0);
    request.upload.onload = () => onProgress(100);
    request.onload = () => resolve(request);
    request.onerror = () => reject(new Error(texts.outOfReach));
    request.onabort = () => reject(new DOMException(texts.uploadCancelled, 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    request.send(body);
  });
}

function parse(request: XMLHttpRequest): unknown {
  try {
    return JSON.parse(request.responseText);
  } catch (cause) {
    throw new Error(texts.unreadableAnswer, { cause });
  }
}
