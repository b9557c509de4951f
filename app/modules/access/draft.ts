/** Answers to a patient form as they were typed, by field. */
export type Answers = Record<string, string>;

/** Where answers wait that were not accepted yet. They are sealed, and for whoever typed them. */
export interface DraftRepository {
  /** Names somebody without telling who they are. */
  authorOf(who: string): string;
  /** Keeps the answers in place of those that were there, whoever typed those. */
  keep(draft: {
    requestId: string;
    author: string;
    answers: Answers;
    expiresAt: Date;
  }): Promise<void>;
  /** The answers of this author; null when there are none, or their time is over. */
  find(requestId: string, author: string, now: Date): Promise<Answers | null>;
  remove(requestId: string): Promise<void>;
}
