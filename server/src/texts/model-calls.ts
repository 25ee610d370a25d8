import { formatUtcTime } from './dates.ts';

/** Why a call gave no usable answer. The provider's words may follow those without a full stop. */
export const redirected = 'The provider’s address redirects elsewhere';
export const requestRefused = 'The provider refused this request';
export const keyRefused = 'The provider does not accept the key';
export const paymentWanted = 'The provider asks for payment';
export const accessRefused = 'The provider refuses access';
export const firewall =
  'The provider’s address returned a web page instead of an answer (403): a firewall may have blocked this prompt';
export const unknownModel = 'The provider does not know this model';
export const unknownAddress = 'The provider knows no such model or address';
export const promptLate = 'The provider timed out while it waited for the prompt';
export const notJustNow = 'The provider could not answer right now';
export const promptTooLong = 'The prompt is too long for the provider';
export const requestUnreadable = 'The provider could not read this request';
export const fewerCalls = 'The provider asks for fewer calls';
export const failed = 'The provider failed';
export const overloaded = 'The provider is overloaded';
export const notUnderstood = 'The provider’s answer could not be read';
export const streamUnreadable =
  'The provider sent a stream that we did not request. It is incomplete or in an unknown format.';
export const quotaUsed = 'The provider’s quota is exhausted';
export const dailyQuotaUsed = (until: Date) =>
  `The provider’s quota for today is exhausted until ${formatUtcTime(until)}`;
export const noCalls = 'The provider allows this key no calls to this model';
export const noCapacity = 'The provider has no capacity at this price right now';
export const promptRefused = 'The provider refused this prompt';
export const modelRefused = 'The model refused to answer';
export const cutOff = 'The answer was cut off: it is longer than the model may write.';
export const filtered = 'The provider’s content filter blocked the answer.';
export const empty = 'The answer was empty.';
export const onlyToolCalls = 'The model called a tool instead of answering.';
export const late = (milliseconds: number) =>
  `No answer came within ${milliseconds / 1_000} seconds.`;
export const tooLarge = 'The answer is larger than 1 MiB.';
export const unusableSettings =
  'The provider’s key or address is not valid in a request: check the settings.';
export const addressUnknown = (host: string) => `The provider’s address ${host} cannot be found.`;
/** Other codes, such as those of certificates, are shown: they tell an operator what is wrong. */
const connectionFailures: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'it was refused',
  ECONNRESET: 'it was closed before the answer was complete',
  EHOSTUNREACH: 'its network cannot be reached',
  ENETUNREACH: 'its network cannot be reached',
  EPIPE: 'it was closed before the prompt was sent',
  ETIMEDOUT: 'it was not accepted in time',
  UND_ERR_CONNECT_TIMEOUT: 'it was not accepted in time',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer has another length than announced',
  UND_ERR_SOCKET: 'it was closed before the answer was complete',
};
export const connectionFailed = (code: string) => {
  const words = code.startsWith('HPE_') ? 'the answer is not valid HTTP' : connectionFailures[code];
  return words === undefined
    ? `The connection to the provider failed (${code}).`
    : `The connection to the provider failed: ${words}.`;
};
export const demoFails = 'The demo model was asked to fail.';
export const onlyDemo = (model: string) =>
  `No provider is connected for the model “${model}”, only the demo model.`;
export const modelRemoved =
  'The settings of this model were removed. You can also start a batch with another one.';
export const notSent = 'The row could not be sent.';
/** The words of a provider may end without a full stop. */
export const asSentence = (text: string) => (/[.!?…]["”’)]*$/.test(text) ? text : `${text}.`);
export const postponedTooOften = (reason: string, times: number) =>
  `${asSentence(reason)} We gave up after the provider postponed this row ${times} times.`;
export const givenUp = (reason: string, tries: number) =>
  `${asSentence(reason)} We gave up after ${tries} tries.`;
export const waitSeconds = (seconds: number) => {
  const minutes = Math.round(seconds / 60);
  const wait =
    seconds < 120
      ? `${seconds} seconds`
      : minutes < 120
        ? `${minutes} minutes`
        : `${Math.round(minutes / 60)} hours`;
  return `The provider asks us to wait ${wait}.`;
};

/** What a model is asked when only its reply matters. */
export const probePrompt = 'Please answer with the word OK.';
