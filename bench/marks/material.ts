/** Hand-written material of one half of the labelled set. */
export interface Material {
  /** By language: sentences of good answers. Any two of them are a good answer. */
  sentences: Readonly<Record<string, readonly string[]>>;
  /** By language: a prompt with one column. */
  prompts: Readonly<Record<string, string>>;
  refusals: Readonly<Record<string, readonly string[]>>;
  /** Answers with something that was not filled in. */
  placeholders: readonly string[];
  empty: readonly string[];
  /** By prompt: good answers that look like something else. */
  hard: Readonly<Record<string, readonly string[]>>;
  /** Prompts that name a language, and the language of good answers. */
  named: readonly { prompt: string; language: string }[];
  /** A list, and answers that mean one of its options without naming it. */
  lists: readonly { options: readonly string[]; near: readonly string[] }[];
  /** A general answer with a place for a name. */
  generic: readonly string[];
}
