import { context, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { ChatOutcome, RowTrace, TraceRow } from '../engine/port.ts';
import { programVersion } from '../version.ts';

/** A collector that is away delays a shutdown by no more than this. */
const exportMilliseconds = 2_000;

interface Options {
  url: string;
  headers: Record<string, string>;
  /** The share of rows that are traced, 0 to 1. */
  share: number;
}

export interface Traces extends AsyncDisposable {
  traceRow: TraceRow;
}

/** Sends traces of rows to an OpenTelemetry collector. A slow one costs spans, not rows. */
export function otlpTraces({ url, headers, share }: Options): Traces {
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: exportMilliseconds });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'rowmill',
      'service.version': programVersion,
    }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('rowmill');
  return {
    // Chosen here and not by a sampler, so that the other rows cost nothing.
    traceRow: ({ batchId, row, model, leasedAt }) => {
      if (Math.random() >= share) return null;
      const attributes = {
        'rowmill.batch': batchId,
        'rowmill.row': row + 1,
        'gen_ai.request.model': model,
      };
      const root = tracer.startSpan('row', { startTime: leasedAt, attributes, root: true });
      const within = trace.setSpan(context.active(), root);
      return new SpansOfRow(root, (name, startTime) =>
        tracer.startSpan(name, startTime === undefined ? {} : { startTime }, within),
      );
    },
    [Symbol.asyncDispose]: () => provider.shutdown().catch(() => {}),
  };
}

class SpansOfRow implements RowTrace {
  readonly #root: Span;
  readonly #begin: (name: string, startTime?: Date) => Span;
  #answeredAt: Date | undefined;

  constructor(root: Span, begin: (name: string, startTime?: Date) => Span) {
    this.#root = root;
    this.#begin = begin;
  }

  async call(ask: () => Promise<ChatOutcome>): Promise<ChatOutcome> {
    const span = this.#begin('call');
    const outcome = await ask();
    span.setAttributes(attributesOf(outcome));
    if (outcome.kind !== 'answered') span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
    this.#answeredAt = new Date();
    return outcome;
  }

  end(): void {
    if (this.#answeredAt) this.#begin('store', this.#answeredAt).end();
    this.#root.end();
  }
}

/** Without the provider's words and the answer, which belong to the client. */
function attributesOf(outcome: ChatOutcome) {
  const { tokens } = outcome;
  return {
    'rowmill.outcome': outcome.kind,
    ...(tokens && {
      'gen_ai.usage.input_tokens': tokens.input,
      'gen_ai.usage.output_tokens': tokens.output,
    }),
  };
}
