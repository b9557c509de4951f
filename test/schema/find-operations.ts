import ts from "typescript";

export interface FoundOperation {
  /** "file:line" */
  where: string;
  /** Null when the literal has substitutions, so that nobody can say what will be sent. */
  text: string | null;
}

/** Every template literal of a source file that begins with #graphql, as editors and Shopify's tools mark them. */
export function findOperations(fileName: string, source: string): FoundOperation[] {
  // Reading a file as TypeScript takes longer than all else here, and most have none.
  if (!source.includes("#graphql")) return [];
  const kind = fileName.endsWith("x") ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const file = ts.createSourceFile(fileName, source, ts.ScriptTarget.Latest, true, kind);
  const found: FoundOperation[] = [];
  const isMarked = (text: string) => /^\s*#graphql/.test(text);
  const walk = (node: ts.Node): void => {
    const where = `${fileName}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    if (ts.isNoSubstitutionTemplateLiteral(node) && isMarked(node.text))
      found.push({ where, text: node.text });
    if (ts.isTemplateExpression(node) && isMarked(node.head.text))
      found.push({ where, text: null });
    ts.forEachChild(node, walk);
  };
  walk(file);
  return found;
}
