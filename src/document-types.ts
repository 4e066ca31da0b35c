/** The kinds of Word documents, by the extensions that their names have. */
export const documentTypes = ['docx', 'docm', 'dotx', 'dotm'] as const;

/** One of the kinds. */
export type DocumentType = (typeof documentTypes)[number];
