import type { LookupFunction } from 'node:net';
import { modelName, type ProviderKind, providerLimits } from '@rowmill/contract';
import type { ChatModel, ChatOutcome, ChatRequest } from '../engine/port.ts';
import { replyLimits } from '../lib/reply-limits.ts';
import { interpretReply, parseReply, type Reply } from './chat-answer.ts';
import { anthropicProtocol } from './protocols/anthropic.ts';
import { Connections } from './protocols/connections.ts';
import { exchange, outcomeOf, type Result } from './protocols/exchange.ts';
import { geminiProtocol } from './protocols/gemini.ts';
import { azureProtocol, openAiProtocol } from './protocols/openai.ts';
import type { Protocol } from './protocols/protocol.ts';

/** The list is a convenience: a page waits no longer for it. */
const listTimeoutMilliseconds = 10_000;

const protocols: Readonly<Record<ProviderKind, (base: URL) => Protocol>> = {
  openai: openAiProtocol,
  anthropic: () => anthropicProtocol,
  gemini: () => geminiProtocol,
  azure: azureProtocol,
};

export interface ProviderChatOptions {
  kind: ProviderKind;
  baseUrl: string;
  apiKey: string | null;
  /** Replaces the system's own, to refuse addresses. */
  lookup?: LookupFunction;
  now(): number;
}

/** A provider over HTTP. Redirects are not followed: they would send the key elsewhere. */
export function providerChat({
  kind,
  baseUrl,
  apiKey,
  ...options
}: ProviderChatOptions): ChatModel {
  const base = new URL(baseUrl);
  const protocol = protocols[kind](base);
  const { host } = base;
  const path = pathsBehind(base, protocol.askPath('*'));
  const connections = new Connections(base.origin, options);
  const headers = { accept: 'application/json', ...(apiKey ? protocol.headers(apiKey) : {}) };
  const askHeaders = { 'content-type': 'application/json', ...headers };
  const context = { apiKey, now: options.now, protocol };
  const askOnce = (request: ChatRequest): Promise<ChatOutcome> => {
    const limits = {
      milliseconds: request.deadlineMilliseconds,
      bytes: replyLimits.answerBytes,
      signal: request.signal,
    };
    const body = JSON.stringify(protocol.bodyOf(request));
    const call = { path: path(protocol.askPath(request.model)), method: 'POST' } as const;
    const read = (result: Result) => {
      if ('failure' in result) {
        const outcome = outcomeOf(result.failure, request.deadlineMilliseconds);
        connections.note(outcome.kind === 'broken' && result.failure instanceof Error);
        return result.isAnswered ? { ...outcome, tokens: null } : outcome;
      }
      connections.note(false);
      const outcome = interpretReply(result, context);
      if (outcome.kind === 'answered') outcome.by = `${request.model} at ${host}`;
      return outcome;
    };
    return exchange(connections.take(), { ...call, headers: askHeaders, body }, limits, read);
  };
  return {
    name: host,
    async ask(request) {
      const outcome = await askOnce(request);
      const isLearnt =
        outcome.kind === 'request_refused' && protocol.learn?.(request, outcome.reason);
      return isLearnt ? askOnce(request) : outcome;
    },
    listModels() {
      if (protocol.listPath === null) return Promise.resolve([]);
      const call = { path: path(protocol.listPath), method: 'GET', headers } as const;
      const limits = {
        milliseconds: listTimeoutMilliseconds,
        bytes: replyLimits.listBytes,
        signal: null,
      };
      return exchange(connections.take(), call, limits, (result) => {
        if (!('failure' in result) && result.status === 200) return readModels(result, protocol);
        const outcome =
          'failure' in result
            ? outcomeOf(result.failure, listTimeoutMilliseconds)
            : interpretReply(result, context);
        if (outcome.kind === 'request_refused') return [];
        throw new Error('reason' in outcome ? outcome.reason : outcome.kind);
      });
    },
    /** Aborts the calls in flight. */
    async close() {
      await connections.destroy();
    },
  };
}

/**
 * The query of the base address comes last. Many people enter the whole address of a call, which
 * ends in `askPath` with any model in place of `*`.
 */
function pathsBehind({ pathname, search }: URL, askPath: string): (end: string) => string {
  const entered = pathname.replace(/(?<!\/)\/+$/, '').split('/');
  const call = askPath.replace(/\?.*/, '').split('/');
  const last = entered.slice(-call.length);
  const isWhole = call.every((part, index) => {
    const [start = '', end] = part.split('*');
    const segment = last[index] ?? '';
    if (end === undefined) return segment === part;
    return segment.startsWith(start) && segment.endsWith(end);
  });
  const folder = (isWhole ? entered.slice(0, -call.length) : entered).join('/');
  return (end) => `${folder}/${end}${end.includes('?') ? search.replace('?', '&') : search}`;
}

function readModels({ body, headers }: Reply, protocol: Protocol): { id: string }[] {
  return protocol
    .modelsOf(parseReply(body, headers['content-type']))
    .filter(isModelName)
    .map((id) => ({ id }));
}

/** Only what a request may ask for: no name of a megabyte, and none with a NUL. */
function isModelName(id: string): boolean {
  return id.length <= providerLimits.model && modelName.safeParse(id).data === id;
}
