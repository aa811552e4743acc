// Edges between the Scala files of a folder as scalac 2.11 finds them:
// `scalac -d OUT scala_imports.scala`, then `java -Xss32m -cp "OUT:SCALA/lib/*" ScalaImports FOLDER SOURCES…`.
//
// SOURCES are the folders below FOLDER that are compiled together. An imported name leads to the file that
// declares it, a `_` to the files whose names are used through it. Libraries need not be there: what could
// not be typed is left out. Prints one JSON object a line: the importing and the imported file; one without the
// latter for each file read.

import java.io.File
import scala.collection.mutable
import scala.reflect.internal.util.BatchSourceFile
import scala.tools.nsc.{Global, Settings}
import scala.tools.nsc.reporters.StoreReporter

object ScalaImports {
  def main(args: Array[String]): Unit = {
    val root = new File(args(0)).getCanonicalPath
    val files = args.toList.tail.flatMap(name => sources(new File(root, name)))
    val settings = new Settings
    settings.usejavacp.value = true
    settings.stopAfter.value = List("typer")
    val global = new Global(settings, new StoreReporter)
    val run = new global.Run
    run.compile(files.map(_.getPath))
    for (unit <- run.units) {
      val from = unit.source.file.file.getCanonicalPath
      println(s"""{"from": "${from.stripPrefix(root + "/")}"}""")
      val found = new Imports[global.type](global).of(unit.body) - from
      for (to <- found.toList.sorted if to.startsWith(root + "/")) {
        val List(a, b) = List(from, to).map(_.stripPrefix(root + "/"))
        println(s"""{"from": "$a", "to": "$b"}""")
      }
    }
  }

  def sources(folder: File): List[File] =
    Option(folder.listFiles).toList.flatten.flatMap { file =>
      if (file.isDirectory) sources(file) else if (file.getName.endsWith(".scala")) List(file) else Nil
    }
}

class Imports[G <: Global](val global: G) {
  import global._

  def of(body: Tree): Set[String] = {
    val found = mutable.Set[String]()
    val opened = mutable.Set[Symbol]()
    body.foreach {
      case Import(from, selectors) if from.symbol != null && from.symbol != NoSymbol =>
        for (selector <- selectors)
          if (selector.name == nme.WILDCARD) opened += from.symbol
          else found ++= members(from, selector.name).flatMap(file)
      case _ =>
    }
    // The typer writes `name` of an opened package or object as `opened.name`.
    def use(symbol: Symbol): Unit =
      if (symbol != null && opened.exists(owner => owner == symbol.owner || owner.moduleClass == symbol.owner))
        found ++= file(symbol)
    body.foreach {
      case tree: RefTree => use(tree.symbol)
      case tree: TypeTree if tree.tpe != null => tree.tpe.foreach(part => use(part.typeSymbol))
      case _ =>
    }
    found.toSet
  }

  private def members(from: Tree, name: Name): List[Symbol] = {
    val tpe = from.tpe
    if (tpe == null) Nil
    else List(tpe.member(name.toTermName), tpe.member(name.toTypeName)).filter(_ != NoSymbol).flatMap(_.alternatives)
  }

  private def file(symbol: Symbol): Option[String] =
    Option(symbol.sourceFile).flatMap(source => Option(source.file)).map(_.getCanonicalPath)
}
