//! The table's ONNX file. Only its constants `table` and `scales` are read, because the graph is
//! computed here by hand: tract could read it, but is too large for page and engine.

use prost::Message;

use crate::embed::EmbedError;

/// The rows of a table, with a scale for each.
pub(super) struct Table {
    pub values: Vec<i8>,
    pub scales: Vec<f32>,
    pub dimension: usize,
}

/// The number of this type in ONNX's `TensorProto.DataType`.
const FLOAT: i32 = 1;
const INT8: i32 = 3;

/// The part of ONNX's `ModelProto` that is read.
#[derive(Clone, PartialEq, Message)]
struct Model {
    #[prost(message, optional, tag = "7")]
    graph: Option<Graph>,
}

/// The part of ONNX's `GraphProto` that is read.
#[derive(Clone, PartialEq, Message)]
struct Graph {
    #[prost(message, repeated, tag = "5")]
    constants: Vec<Constant>,
}

/// The part of ONNX's `TensorProto` that is read.
#[derive(Clone, PartialEq, Message)]
struct Constant {
    #[prost(int64, repeated, tag = "1")]
    shape: Vec<i64>,
    #[prost(int32, tag = "2")]
    of: i32,
    #[prost(string, tag = "8")]
    name: String,
    #[prost(bytes = "vec", tag = "9")]
    bytes: Vec<u8>,
}

/// Reads a file whose rows are int8 with one scale each.
pub(super) fn read(bytes: &[u8]) -> Result<Table, EmbedError> {
    let wrong = |what: String| EmbedError::Model(format!("model.onnx: {what}"));
    let model = Model::decode(bytes).map_err(|error| wrong(error.to_string()))?;
    let constants = model.graph.unwrap_or_default().constants;
    let find = |name: &str, of: i32| {
        let found = constants.iter().find(|it| it.name == name && it.of == of);
        found.ok_or_else(|| wrong(format!("no constant {name}")))
    };
    let (table, scales) = (find("table", INT8)?, find("scales", FLOAT)?);
    let scales: Vec<f32> = scales
        .bytes
        .as_chunks::<4>()
        .0
        .iter()
        .map(|bytes| f32::from_le_bytes(*bytes))
        .collect();
    let dimension = table.bytes.len().checked_div(scales.len()).unwrap_or(0);
    let shape = [scales.len() as i64, dimension as i64];
    if dimension == 0 || table.shape != shape || table.bytes.len() != scales.len() * dimension {
        return Err(wrong("the table's shape does not match its scales".into()));
    }
    if !scales.iter().all(|scale| scale.is_finite()) {
        return Err(wrong("a scale is not a number".to_owned()));
    }
    let values = table.bytes.iter().map(|byte| i8::from_le_bytes([*byte]));
    Ok(Table {
        values: values.collect(),
        scales,
        dimension,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(shape: &[i64], values: &[u8], scales: &[f32]) -> Vec<u8> {
        let constant = |name: &str, of, shape: &[i64], bytes: Vec<u8>| Constant {
            shape: shape.to_vec(),
            of,
            name: name.to_owned(),
            bytes,
        };
        let of_scales = scales.iter().flat_map(|scale| scale.to_le_bytes());
        let constants = vec![
            constant("other", FLOAT, &[1], vec![0; 4]),
            constant("table", INT8, shape, values.to_vec()),
            constant("scales", FLOAT, &[scales.len() as i64], of_scales.collect()),
        ];
        let graph = Some(Graph { constants });
        Model { graph }.encode_to_vec()
    }

    #[test]
    fn rows_and_scales_are_read() {
        let table = read(&file(&[2, 3], &[1, 255, 3, 4, 5, 6], &[0.5, 2.0])).unwrap();
        assert_eq!(table.values, [1, -1, 3, 4, 5, 6]);
        assert_eq!((table.scales, table.dimension), (vec![0.5, 2.0], 3));
    }

    #[test]
    fn a_file_whose_parts_do_not_fit_is_refused() {
        for damaged in [
            file(&[2, 3], &[1, 2, 3, 4], &[0.5, 2.0]),
            file(&[3, 2], &[1, 2, 3, 4, 5, 6], &[0.5, 2.0]),
            file(&[0, 3], &[], &[]),
            file(&[1, 1], &[1], &[f32::NAN]),
            b"no protobuf".to_vec(),
            Vec::new(),
        ] {
            assert!(read(&damaged).is_err());
        }
    }
}
