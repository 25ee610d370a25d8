import type { Routes } from '../../handlers.ts';
import { askChat } from './ask-chat.ts';
import { listModels } from './choose-model.ts';
import { deleteOwnBatch } from './delete-batch.ts';
import { downloadResults } from './download-results.ts';
import { followProgress } from './follow-progress.ts';
import { keepVariable, listOwnVariables } from './keep-variable.ts';
import { listOwnBatches } from './list-batches.ts';
import { listAskedQuestions, listRecentQuestions } from './list-questions.ts';
import { listRows } from './list-rows.ts';
import { playOrPauseBatch } from './play-or-pause.ts';
import { retryFailedRows } from './retry-failed.ts';
import { showBatch } from './show-batch.ts';
import { stopBatch } from './stop-batch.ts';

export const batchRoutes = {
  saveVariable: keepVariable,
  getVariables: listOwnVariables,
  getModels: listModels,
  askChatGpt: askChat,
  recentQuestions: listRecentQuestions,
  getQuestionsAsked: listAskedQuestions,
  getProcessedFiles: listOwnBatches,
  getBatch: showBatch,
  getRows: listRows,
  playOrPause: playOrPauseBatch,
  stopFileProcessing: stopBatch,
  retryFailed: retryFailedRows,
  deleteBatch: deleteOwnBatch,
  downloadChatGptResponse: downloadResults,
  events: async (ctx, acting) => followProgress(ctx, acting),
} satisfies Partial<Routes>;
