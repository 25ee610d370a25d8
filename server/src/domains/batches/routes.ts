import type { Routes } from '../../core/handlers.ts';
import { askChat } from './ask-chat.ts';
import { changeOptionsOfBatch } from './lifecycle/change-options.ts';
import { deleteOwnBatch } from './lifecycle/delete.ts';
import { playOrPauseBatch } from './lifecycle/play-pause.ts';
import { renameOwnBatch } from './lifecycle/rename.ts';
import { retryFailedRows } from './lifecycle/retry.ts';
import { stopBatch } from './lifecycle/stop.ts';
import { downloadResults } from './results/download.ts';
import { judgeOwnAnswers } from './results/judge.ts';
import { ProgressFeeds } from './results/progress-stream.ts';
import { listRows } from './results/rows.ts';
import { showUsage } from './usage.ts';
import { listOwnBatches, showBatch } from './views.ts';

export function createBatchRoutes() {
  const feeds = new ProgressFeeds();
  return {
    askChatGpt: askChat,
    getProcessedFiles: listOwnBatches,
    getBatch: showBatch,
    getRows: listRows,
    judgeAnswers: judgeOwnAnswers,
    getUsage: showUsage,
    playOrPause: playOrPauseBatch,
    stopFileProcessing: stopBatch,
    retryFailed: retryFailedRows,
    changeBatchOptions: changeOptionsOfBatch,
    renameBatch: renameOwnBatch,
    deleteBatch: deleteOwnBatch,
    downloadChatGptResponse: downloadResults,
    events: async (ctx, acting) => feeds.read(ctx, acting),
  } satisfies Partial<Routes>;
}
